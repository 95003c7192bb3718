//! Programs that change the machine: devices, processes, protections.

use super::row::{Pick, Row, act, row};
use crate::script::EffectKind::{
    Create, Delete, Device, DisableProtection, Permissions, Persist, Stop,
};

/// In order of the names.
pub(super) const TABLE: &[Row] = &[
    act("aa-complain", DisableProtection, Pick::All),
    act("aa-disable", DisableProtection, Pick::All),
    act("aa-teardown", DisableProtection, Pick::None),
    act("apparmor_parser", DisableProtection, Pick::All).any(&["-R", "--remove"]),
    act("auditctl", DisableProtection, Pick::None).any(&["-D", "-e"]),
    row("badblocks", Device, Pick::First).any(&["-w"]),
    act("bcdedit", DisableProtection, Pick::None),
    row("blkdiscard", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("btrfs", Delete, Pick::All).sub(&["subvolume", "delete"]).deep(),
    row("cfdisk", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("chattr", Permissions, Pick::All).recursive(&["-R"]),
    act("chpasswd", Permissions, Pick::None),
    act("crontab", DisableProtection, Pick::None).any(&["-r"]).values("u", &[]),
    act("crontab", Create, Pick::All).unless(&["-l", "-r", "-e"]),
    row("cryptsetup", Device, Pick::All).sub(&["luksFormat"]),
    row("cryptsetup", Device, Pick::All).sub(&["erase"]),
    row("cryptsetup", Device, Pick::All).sub(&["luksErase"]),
    act("csrutil", DisableProtection, Pick::None).sub(&["disable"]),
    row("diskpart", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("diskutil", Device, Pick::All).sub(&["eraseDisk"]),
    row("diskutil", Device, Pick::All).sub(&["eraseVolume"]),
    row("diskutil", Device, Pick::All).sub(&["partitionDisk"]),
    row("diskutil", Device, Pick::All).sub(&["zeroDisk"]),
    act("fc", DisableProtection, Pick::None).any(&["-p"]),
    act("fdesetup", DisableProtection, Pick::None).sub(&["disable"]),
    row("fdisk", Device, Pick::All)
        .unless(&["-l", "--list"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    row("gdisk", Device, Pick::All).unless(&["-l"]).forced(&["-f", "--force", "-y", "--yes"]),
    act("groupdel", Delete, Pick::All),
    act("halt", Stop, Pick::None).forced(&["-f", "--force"]),
    row("hdparm", Device, Pick::All).any(&["--security-erase", "--trim-sector-ranges"]),
    act("history", DisableProtection, Pick::None).any(&["-c", "-w", "-d"]),
    act("init", Stop, Pick::None).sub(&["0"]),
    act("init", Stop, Pick::None).sub(&["6"]),
    act("insmod", Permissions, Pick::All),
    act("ip6tables", DisableProtection, Pick::None).any(&["-F", "--flush", "-X", "-P", "--policy"]),
    act("iptables", DisableProtection, Pick::None).any(&["-F", "--flush", "-X", "-P", "--policy"]),
    row("kill", Stop, Pick::All).unless(&["-l", "-L", "-0"]).values("sn", &["signal"]),
    row("killall", Stop, Pick::All).values("sugo", &["signal", "user"]),
    act("launchctl", Stop, Pick::All).sub(&["unload"]),
    act("launchctl", Stop, Pick::All).sub(&["bootout"]),
    act("launchctl", Stop, Pick::All).sub(&["remove"]),
    act("launchctl", Persist, Pick::All).sub(&["load"]),
    act("launchctl", Persist, Pick::All).sub(&["bootstrap"]),
    act("launchctl", Persist, Pick::All).sub(&["enable"]),
    row("lvreduce", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("lvremove", Device, Pick::All)
        .unless(&["--test", "-t", "-h"])
        .values("AS", &["reportformat", "config", "select", "autobackup", "commandprofile"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    row("mdadm", Device, Pick::All).any(&["--zero-superblock", "--stop", "--create", "-C", "-S"]),
    row("mkfs", Device, Pick::All).unless(&["-n"]).values("tNbIiLmOE", &["type"]),
    row("mkswap", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    act("modprobe", Stop, Pick::All).any(&["-r"]),
    row("newfs", Device, Pick::All),
    act("nft", DisableProtection, Pick::None).sub(&["flush"]),
    act("nft", DisableProtection, Pick::None).sub(&["delete"]),
    row("nvme", Device, Pick::All).sub(&["format"]),
    row("nvme", Device, Pick::All).sub(&["sanitize"]),
    row("parted", Device, Pick::All).unless(&["-l"]).forced(&["-f", "--force", "-y", "--yes"]),
    act("passwd", Permissions, Pick::All),
    row("pkill", Stop, Pick::All).values("gGPsuUt", &["signal", "euid", "uid"]),
    act("poweroff", Stop, Pick::None).forced(&["-f", "--force"]),
    row("pvcreate", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("pvremove", Device, Pick::All)
        .unless(&["--test", "-t", "-h"])
        .values("AS", &["reportformat", "config", "select", "commandprofile"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    act("reboot", Stop, Pick::None).forced(&["-f", "--force"]),
    act("reg", Delete, Pick::Last).sub(&["delete"]),
    act("reg", Permissions, Pick::First).sub(&["add"]),
    act("rmmod", Stop, Pick::All),
    act("setenforce", DisableProtection, Pick::None).sub(&["0"]),
    act("setenforce", DisableProtection, Pick::None).sub(&["Permissive"]),
    row("sfdisk", Device, Pick::All)
        .unless(&["-l", "-d", "--list", "--dump", "-n", "--no-act"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    row("sgdisk", Device, Pick::All)
        .unless(&["-p", "--print"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    act("shutdown", Stop, Pick::None).unless(&["-c"]),
    row("skill", Stop, Pick::All),
    act("spctl", DisableProtection, Pick::None).any(&["--master-disable", "--global-disable"]),
    act("swapoff", Stop, Pick::All),
    act("sysctl", Permissions, Pick::None).any(&["-w", "--write"]),
    act("systemctl", Stop, Pick::All).sub(&["stop"]),
    act("systemctl", Stop, Pick::All).sub(&["kill"]),
    act("systemctl", DisableProtection, Pick::All).sub(&["disable"]),
    act("systemctl", DisableProtection, Pick::All).sub(&["mask"]),
    act("systemctl", Stop, Pick::None).sub(&["poweroff"]),
    act("systemctl", Stop, Pick::None).sub(&["reboot"]),
    act("systemctl", Stop, Pick::None).sub(&["halt"]),
    act("systemctl", Persist, Pick::All).sub(&["enable"]),
    act("systemctl", Persist, Pick::All).sub(&["link"]),
    act("systemctl", Persist, Pick::All).sub(&["reenable"]),
    act("taskkill", Stop, Pick::None),
    act("telinit", Stop, Pick::All),
    act("tmutil", DisableProtection, Pick::None).sub(&["disable"]),
    act("tmutil", Delete, Pick::All).sub(&["delete"]),
    act("ufw", DisableProtection, Pick::None).sub(&["disable"]),
    act("ufw", DisableProtection, Pick::None).sub(&["reset"]),
    row("umount", Stop, Pick::All).forced(&["-f", "-l"]),
    act("useradd", Permissions, Pick::Last),
    act("userdel", Delete, Pick::All).recursive(&["-r", "--remove"]).forced(&["-f", "--force"]),
    act("usermod", Permissions, Pick::Last),
    row("vgcreate", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("vgremove", Device, Pick::All)
        .unless(&["--test", "-t", "-h"])
        .values("AS", &["reportformat", "config", "select", "commandprofile"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    act("visudo", Permissions, Pick::None),
    act("vssadmin", Delete, Pick::None).sub(&["delete"]),
    act("wevtutil", DisableProtection, Pick::All).sub(&["cl"]),
    row("wipefs", Device, Pick::All)
        .unless(&["-n", "--no-act"])
        .forced(&["-f", "--force", "-y", "--yes"]),
    row("xkill", Stop, Pick::None),
    row("zerofree", Device, Pick::All).forced(&["-f", "--force", "-y", "--yes"]),
    row("zfs", Delete, Pick::All).sub(&["destroy"]).recursive(&["-r", "-R"]),
    row("zpool", Device, Pick::All).sub(&["destroy"]),
];

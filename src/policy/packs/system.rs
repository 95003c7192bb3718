//! `system`: services, the network and settings of the machine. A uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "system/service-stop", "This stops a service of the machine",
        instead "`systemctl restart`, or let the person stop it",
        when { command ["systemctl|rc-service|initctl", "stop|kill|isolate|mask|disable|rescue|emergency"] },
        match ["systemctl stop nginx", "systemctl isolate rescue.target"],
        pass ["systemctl status nginx", "systemctl restart nginx"],
    ),
    rule!(
        Ask "system/service-script", "This stops a service of the machine",
        instead "`service NAME restart`, or let the person stop it",
        when { command ["service|invoke-rc.d"] args ["stop"] },
        match ["service ssh stop"],
        pass ["service ssh status"],
    ),
    rule!(
        Ask "system/interface-down", "This takes the machine off the network",
        instead "",
        when { command ["ip|ifconfig|nmcli|networksetup|iwconfig"] args ["down", "off", "flush", "-setairportpower", "-setdnsservers", "-setwebproxy", "-setnetworkserviceenabled"] },
        match ["ip link set eth0 down", "ifconfig eth0 down", "nmcli networking off"],
        pass ["ip addr", "nmcli device status"],
    ),
    rule!(
        Ask "system/route", "This changes where the machine sends its packets",
        instead "",
        when { command ["route", "del|delete|add|flush"] },
        match ["route del default"],
        pass ["route -n"],
    ),
    rule!(
        Ask "system/tunnel", "This opens a way into or out of the machine",
        instead "`ssh -L` reaches one port from here",
        when { command ["ssh|autossh"] flags ["-R|-D"] },
        match ["ssh -R 8080:localhost:22 h", "ssh -D 1080 -N h"],
        pass ["ssh -L 8080:localhost:80 h", "ssh h uptime"],
    ),
    rule!(
        Ask "system/journal", "This drops what the machine has recorded",
        instead "",
        when { command ["journalctl"] flags ["--vacuum-time|--vacuum-size|--vacuum-files|--rotate"] },
        match ["journalctl --vacuum-time=1s"],
        pass ["journalctl -u nginx -n 100"],
    ),
    rule!(
        Ask "system/kill-vital", "This ends what the session of a person stands on",
        instead "name the process of your own",
        when { command ["killall|pkill"] args ["sshd", "systemd*", "dbus*", "Xorg", "gnome-shell", "Finder", "Dock", "loginwindow", "WindowServer", "explorer*", "."] },
        match ["killall -9 sshd", "pkill -f ."],
        pass ["killall node", "pkill -f vite"],
    ),
    rule!(
        Ask "system/defaults", "This changes settings of the system or its programs",
        instead "`defaults read` shows them",
        when { command ["defaults", "delete|delete-all|import"] },
        match ["defaults delete com.apple.dock"],
        pass ["defaults read com.apple.dock"],
    ),
    rule!(
        Ask "system/quarantine", "This lets a program run that the system holds back",
        instead "",
        when { command ["xattr|defaults"] args ["com.apple.quarantine", "-cr", "-rc", "-c", "LSQuarantine"] },
        match ["xattr -d com.apple.quarantine x.app", "defaults write com.apple.LaunchServices LSQuarantine -bool false"],
        pass ["xattr x.app"],
    ),
    rule!(
        Ask "system/macos", "This changes how the system protects or starts itself",
        instead "",
        when { command ["tccutil|nvram|pmset|systemsetup|dscl|sysadminctl|profiles|scutil|softwareupdate"] args ["reset", "-c", "-d", "-a", "-set*", "-create", "-delete", "-append", "-passwd", "-addUser", "-deleteUser", "remove", "--set", "--ignore"] },
        match ["tccutil reset All", "nvram -c", "dscl . -delete /Users/x", "systemsetup -setremotelogin on"],
        pass ["pmset -g", "dscl . -list /Users", "scutil --dns"],
    ),
    rule!(
        Ask "system/launch", "This stops or removes what the system starts",
        instead "`launchctl list` shows it",
        when { command ["launchctl", "bootout|unload|remove|disable|kill"] },
        match ["launchctl bootout system/x", "launchctl unload -w x.plist"],
        pass ["launchctl list"],
    ),
    rule!(
        Ask "system/backups", "This drops backups",
        instead "`tmutil listbackups` shows them",
        when { command ["tmutil", "delete|deletelocalsnapshots|disable"] },
        match ["tmutil delete /backup", "tmutil disable"],
        pass ["tmutil listbackups"],
    ),
    rule!(
        Ask "system/script", "This tells the desktop to delete, stop or type something",
        instead "",
        when { command ["osascript"] args ["*empty*trash*", "*shut down*", "*to restart*", "*log out*", "*delete every*", "*keystroke*"] },
        match ["osascript -e 'tell app \"Finder\" to empty trash'"],
        pass ["osascript -e 'display notification \"done\"'"],
    ),
];

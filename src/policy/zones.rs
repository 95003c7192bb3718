//! Where a path lies, in a situation.

use super::Situation;
use super::kinds::Zones;
use super::place::Place;

/// Folders a system can't do without.
pub const SYSTEM: &[&str] = &[
    "/Applications",
    "/Library",
    "/System",
    "/Users",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/private/etc",
    "/private/var",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/var/log",
    "C:/",
    "C:/Program Files",
    "C:/ProgramData",
    "C:/Users",
    "C:/Windows",
    "C:/Windows/System32",
];

/// System folders in which ordinary work has nothing to change, however deep.
const DEEP: &[&str] = &[
    "/System",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/private/etc",
    "/proc",
    "/sbin",
    "/sys",
    "/usr",
    "/var/lib",
    "/var/log",
    "C:/Windows",
];

/// Devices that hold file systems.
const DEVICES: &[&str] = &[
    "/dev/sd",
    "/dev/ada",
    "/dev/da",
    "/dev/nvd",
    "/dev/mtd",
    "/dev/pmem",
    "/dev/nbd",
    "/dev/bcache",
    "/dev/drbd",
    "/dev/zd",
    "/dev/hd",
    "/dev/vd",
    "/dev/xvd",
    "/dev/nvme",
    "/dev/mmcblk",
    "/dev/disk",
    "/dev/rdisk",
    "/dev/mapper/",
    "/dev/dm-",
    "/dev/md",
    "/dev/loop",
    "/dev/mem",
    "/dev/kmem",
    "//./PhysicalDrive",
];

/// Devices that are there to be written to.
const HARMLESS: &[&str] = &[
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/stdin",
    "/dev/tty",
    "/dev/zero",
    "/dev/full",
];

/// The zones of a place.
#[must_use]
pub fn of(place: &Place, situation: &Situation<'_>) -> Zones {
    if HARMLESS.iter().any(|d| place.is(d)) || place.within("/dev/fd") || place.within("/dev/shm") {
        return Zones::TEMP;
    }
    let mut zones = Zones::EMPTY;
    let workspace = situation.workspace;
    let known = !workspace.is_empty();
    let inside = known && place.below(workspace);
    let temp = situation.temp.iter().any(|t| place.below(t));
    if inside {
        zones = zones.with(Zones::INSIDE);
    }
    if temp {
        zones = zones.with(Zones::TEMP);
    }
    // Without a workspace nothing is outside of it: only the absolute zones speak.
    if known && !inside && !temp {
        zones = zones.with(Zones::OUTSIDE);
    }
    if place.partial {
        // What follows is unknown: only a folder safely below a root says where it is.
        return if inside || temp { zones } else { zones.with(Zones::UNKNOWN) };
    }
    if known {
        zones = zones.with(workspace_zones(place, workspace));
    }
    zones.with(system_zones(place, inside || temp)).with(home_zones(place, situation))
}

fn workspace_zones(place: &Place, workspace: &str) -> Zones {
    let mut zones = Zones::EMPTY;
    let all = place.is_all_of(workspace);
    if all {
        zones = zones.with(Zones::WORKSPACE_CONTENTS);
    } else if place.covers(workspace) {
        zones = zones.with(Zones::WORKSPACE);
    }
    if place.covers(&format!("{workspace}/.git")) && !all {
        zones = zones.with(Zones::GIT_DIR);
    }
    zones
}

fn home_zones(place: &Place, situation: &Situation<'_>) -> Zones {
    let hit = situation.homes.iter().any(|home| place.covers(home) || place.is_all_of(home))
        || (!place.glob && place.forms().any(somebodys_home));
    if hit { Zones::HOME } else { Zones::EMPTY }
}

/// `/home/NAME` or `/Users/NAME`, whoever it is.
fn somebodys_home(path: &str) -> bool {
    ["/home/", "/Users/"].iter().any(|root| {
        path.strip_prefix(root).is_some_and(|name| !name.is_empty() && !name.contains('/'))
    })
}

fn system_zones(place: &Place, ours: bool) -> Zones {
    let mut zones = Zones::EMPTY;
    if place.is("/") || place.is_all_of("/") {
        zones = zones.with(Zones::ROOT);
    }
    if DEVICES.iter().any(|d| place.forms().any(|form| form.starts_with(d))) {
        zones = zones.with(Zones::DEVICE);
    }
    if SYSTEM.iter().any(|s| place.covers(s) || place.is_all_of(s)) {
        zones = zones.with(Zones::SYSTEM);
    } else if !ours && DEEP.iter().any(|s| place.within(s)) {
        zones = zones.with(Zones::SYSTEM_FILE);
    }
    zones
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::policy::Situation;
    use crate::policy::kinds::Zones;
    use crate::policy::place::Place;

    fn zones(path: &str) -> Zones {
        let homes = ["/home/u".to_owned()];
        let temp = ["/tmp".to_owned()];
        let situation = Situation {
            workspace: "/home/u/w",
            homes: &homes,
            temp: &temp,
            protected: &(),
            tightened: false,
            sandbox: harness_core::knobs::SandboxMode::DangerFullAccess,
            subagent: false,
            spoke: None,
        };
        let glob = path.contains('*');
        let place = Place { spelled: path.into(), resolved: path.into(), glob, partial: false };
        of(&place, &situation)
    }

    #[test]
    fn each() {
        assert!(zones("/").meets(Zones::ROOT));
        assert!(zones("/*").meets(Zones::ROOT));
        assert!(zones("/etc").meets(Zones::SYSTEM));
        assert!(zones("/etc/passwd").meets(Zones::SYSTEM_FILE));
        assert!(zones("/home/u").meets(Zones::HOME));
        assert!(zones("/home/u/*").meets(Zones::HOME));
        assert!(zones("/home/u/w").meets(Zones::WORKSPACE));
        assert!(zones("/home/u/w/*").meets(Zones::WORKSPACE_CONTENTS));
        assert!(zones("/home/u/w/.git").meets(Zones::GIT_DIR));
        assert_eq!(zones("/home/u/w/target"), Zones::INSIDE);
        assert_eq!(zones("/home/u/w/a/*"), Zones::INSIDE);
        assert_eq!(zones("/tmp/x"), Zones::TEMP);
        assert_eq!(zones("/dev/null"), Zones::TEMP);
        assert_eq!(zones("/home/u/other"), Zones::OUTSIDE);
        assert!(zones("/dev/sda1").meets(Zones::DEVICE));
    }
}

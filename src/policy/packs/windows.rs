//! `windows`: services, accounts, the registry and protections of Windows. A uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "windows/registry", "This deletes from the registry",
        instead "`reg export` first",
        when { command ["reg|REG", "[Dd]elete|DELETE"] },
        match ["cmd /c \"reg delete HKLM\\Software /f\""],
        pass ["reg query HKCU\\Software"],
    ),
    rule!(
        Ask "windows/service", "This stops or removes a service",
        instead "",
        when { command ["net|net1|sc|sc.exe", "[Ss]top|STOP|[Dd]elete|DELETE|[Cc]onfig|CONFIG"] },
        match ["net stop WinDefend", "sc delete x"],
        pass ["net start", "sc query"],
    ),
    rule!(
        Ask "windows/task", "This deletes or ends a scheduled task",
        instead "",
        when { command ["schtasks"] args ["/[Dd]elete", "/DELETE", "/[Ee]nd"] },
        match ["schtasks /delete /tn x /f"],
        pass ["schtasks /query"],
    ),
    rule!(
        Ask "windows/firewall", "This changes the firewall",
        instead "",
        when { command ["netsh", "advfirewall|firewall"] args ["off", "reset", "delete", "add", "disable"] },
        match ["netsh advfirewall set allprofiles state off"],
        pass ["netsh advfirewall show allprofiles"],
    ),
    rule!(
        Ask "windows/volume", "This wipes free space, journals or encryption of a volume",
        instead "",
        when { command ["cipher|fsutil|manage-bde"] args ["/[Ww]:*", "deletejournal", "-off", "-delete", "setzerodata"] },
        match ["fsutil usn deletejournal /d C:", "manage-bde -off C:"],
        pass ["fsutil fsinfo drives", "manage-bde -status"],
    ),
    rule!(
        Ask "windows/kill-vital", "This ends what the session of a person stands on",
        instead "name the process of your own",
        when { command ["taskkill|[Ss]top-[Pp]rocess|spps"] args ["explorer*", "winlogon*", "csrss*", "lsass*", "svchost*", "*"] },
        match ["taskkill /f /im explorer.exe"],
        pass ["tasklist"],
    ),
    rule!(
        Ask "windows/defender", "This loosens the protection against malware",
        instead "",
        when { command ["[Aa]dd-[Mm]p[Pp]reference|[Rr]emove-[Mm]p[Pp]reference"] },
        match ["pwsh -c 'Add-MpPreference -ExclusionPath x'"],
        pass ["pwsh -c Get-MpPreference"],
    ),
    rule!(
        Ask "windows/service-cmdlet", "This stops or removes a service",
        instead "",
        when { command ["[Ss]top-[Ss]ervice|spsv|[Rr]emove-[Ss]ervice|[Ss]uspend-[Ss]ervice|[Ss]et-[Ss]ervice"] without ["-WhatIf"] },
        match ["pwsh -c 'Stop-Service WinDefend'"],
        pass ["pwsh -c Get-Service"],
    ),
    rule!(
        Ask "windows/account", "This makes, removes or widens an account",
        instead "let the person do it",
        when { command ["[Nn]ew-[Ll]ocal[Uu]ser|[Rr]emove-[Ll]ocal[Uu]ser|[Aa]dd-[Ll]ocal[Gg]roup[Mm]ember|[Dd]isable-[Ll]ocal[Uu]ser|[Ss]et-[Ll]ocal[Uu]ser"] },
        match ["pwsh -c 'New-LocalUser x -NoPassword'", "pwsh -c 'Add-LocalGroupMember -Group Administrators -Member x'"],
        pass ["pwsh -c Get-LocalUser"],
    ),
    rule!(
        Ask "windows/settings", "This takes away scheduled tasks, restore points or settings",
        instead "",
        when { command ["[Uu]nregister-[Ss]cheduled[Tt]ask|[Dd]isable-[Cc]omputer[Rr]estore|[Rr]emove-[Ii]tem[Pp]roperty|[Cc]lear-[Rr]ecycle[Bb]in|[Dd]isable-[Ss]cheduled[Tt]ask"] without ["-WhatIf"] },
        match ["pwsh -c 'Unregister-ScheduledTask -TaskName x'", "pwsh -c 'Disable-ComputerRestore C:'"],
        pass ["pwsh -c Get-ScheduledTask"],
    ),
    rule!(
        Ask "windows/registry-item", "This deletes from the registry",
        instead "`reg export` first",
        when { command ["[Rr]emove-[Ii]tem|ri|rm|del"] args ["HKLM:*", "HKCU:*", "HKCR:*", "HKU:*", "Registry::*"] },
        match ["pwsh -c 'Remove-Item HKLM:/Software/x -Recurse'"],
        pass ["pwsh -c 'Remove-Item build -Recurse'"],
    ),
];

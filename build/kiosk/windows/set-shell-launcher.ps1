<#
.SYNOPSIS
Makes Field Console the shell of the local account "FieldConsole", or gives the desktop back with -Remove.

.DESCRIPTION
Runs as SYSTEM (psexec -s, or a task of the device management). The account must exist and must not be an
administrator. The setting takes effect when that account signs in the next time.
#>
[CmdletBinding()]
param(
  [string] $Configuration = (Join-Path $PSScriptRoot 'ShellLauncher.xml'),
  [switch] $Remove
)
$ErrorActionPreference = 'Stop'

if (-not [Security.Principal.WindowsIdentity]::GetCurrent().IsSystem) {
  throw 'This runs as SYSTEM only: the setting belongs to the device.'
}
$feature = Get-WindowsOptionalFeature -Online -FeatureName Client-EmbeddedShellLauncher
if ($feature.State -ne 'Enabled') {
  Enable-WindowsOptionalFeature -Online -FeatureName Client-EmbeddedShellLauncher -All -NoRestart | Out-Null
}

$device = Get-CimInstance -Namespace 'root\cimv2\mdm\dmmap' -ClassName 'MDM_AssignedAccess'
if ($Remove) {
  $device.ShellLauncher = $null
} else {
  [xml] $checked = Get-Content -Raw -LiteralPath $Configuration
  $device.ShellLauncher = [System.Net.WebUtility]::HtmlEncode($checked.OuterXml)
}
Set-CimInstance -CimInstance $device

; Ties links of the scheme field-console: to the application for all users. electron-builder's `protocols` reach
; macOS and Linux only. After `--` nothing that a link may hold is taken for a switch.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console" "" "URL:Field Console link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
  ; Every user may make folders in C:\ProgramData, and its owner could set the policy. One that is there already
  ; is left as it is: it may be an administrator's, or a link to elsewhere.
  IfFileExists "C:\ProgramData\Field Console" policyFolderIsThere
  CreateDirectory "C:\ProgramData\Field Console"
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "C:\ProgramData\Field Console" /inheritance:r /grant:r *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX'
  Pop $0
  StrCmp $0 "0" policyFolderIsClosed
  ; An open one is worse than none.
  RMDir "C:\ProgramData\Field Console"
  Goto policyFolderIsThere
  policyFolderIsClosed:
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "C:\ProgramData\Field Console" /setowner *S-1-5-32-544'
  Pop $0
  ; What came in before it was closed.
  Delete "C:\ProgramData\Field Console\policy.json"
  policyFolderIsThere:
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\field-console"
  ; An update runs this too; the next version still uses what follows.
  ${ifNot} ${isUpdated}
    ; What the console wrote for the account that uninstalls it: links of a copied folder, clicks on notifications,
    ; start at login. docs/install.md says what other accounts have left.
    DeleteRegKey HKCU "Software\Classes\field-console"
    DeleteRegKey HKCU "Software\Classes\CLSID\{6E0B9C52-7D1A-4C3E-9A54-2F8D1B7C6E31}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "org.fieldconsole.app"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "org.fieldconsole.app"
    SetShellVarContext current
    Delete "$SMPROGRAMS\Field Console.lnk"
    SetShellVarContext all
  ${endIf}
  ; Only where nothing is in it.
  RMDir "C:\ProgramData\Field Console"
!macroend

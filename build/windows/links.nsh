; Ties links of the scheme field-console: to the application for all users. electron-builder's `protocols` reach
; macOS and Linux only. After `--` nothing that a link may hold is taken for a switch.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console" "" "URL:Field Console link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\field-console\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\field-console"
!macroend

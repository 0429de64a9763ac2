/**
 * What a real Electron does that a kind stand-in would not. The numbers are those of the project's list of
 * facts about Electron; each switch stands at the unfriendly case by default. Where a fact proves wrong on a
 * binary, it is corrected there and here.
 */
export interface ElectronFacts {
  /**
   * Fact 1: a window that was made hidden has no surface on Wayland. Its page has no first layout, so there is
   * no `ready-to-show`, and its `requestAnimationFrame` does not tick.
   */
  readonly hiddenWindowsDraw: boolean;
  /** Fact 2: `ready-to-show` comes for every document, each reload included. */
  readonly readyToShowOnce: boolean;
  /** Fact 3: a document that fails, or whose preload does, is laid out all the same. */
  readonly failedPagesAreLaidOut: boolean;
  /** Fact 4: without a usable graphics processor there is WebGL also where no switch was given for it in time. */
  readonly softwareDrawsUnasked: boolean;
  /** Fact 5: on macOS a `fullscreen: false` that is given explicitly takes full screen away for good. */
  readonly explicitFullScreenIsHarmless: boolean;
  /** Fact 6: `did-start-navigation` comes before a navigation can be denied, also for one that then is. */
  readonly deniedNavigationsDoNotStart: boolean;
  /** Fact 8: `window.focus()` in a page raises its window. */
  readonly pagesRaiseTheirWindows: boolean;
  /** Fact 9: a zoom that is set later is drawn after the page's first paint. */
  readonly zoomsBeforePaint: boolean;
  /** Fact 10: a Blob as a request's body is pulled in pieces, and an empty one is no body. */
  readonly blobsArriveInPieces: boolean;
  /**
   * Fact 11: what a page sends, and what it is answered, arrives as the sender's own objects, and what it is pushed is
   * not counted property by property.
   */
  readonly objectsCrossAsTheyAre: boolean;
  /** Fact 12: each event brings an object of its own for the same frame. */
  readonly framesAreOneObject: boolean;
  /** Fact 13: compiled code is kept for every scheme and every session. */
  readonly codeIsAlwaysKept: boolean;
  /** Fact 7: on Wayland a window knows where it is, and can be put somewhere. */
  readonly waylandKnowsPlaces: boolean;
  /** Fact 15: a second `will-quit` whose default is not prevented ends the process while the first is closing. */
  readonly secondQuitWaits: boolean;
  /**
   * Fact 16: after `session-end` Windows terminates the process; `will-quit` does not come, nor anything that was
   * to be done later.
   */
  readonly sessionEndWaits: boolean;
  /** Fact 18: what the console starts in its own place is the child of whatever supervises the console. */
  readonly supervisorsSeeRelaunches: boolean;
  /** Fact 19: other starts hand over what they open only when there is a window. */
  readonly otherStartsWait: boolean;
  /** Fact 20: files of Chromium's profile can be removed while the process ends, on Windows too. */
  readonly openFilesCanBeRemoved: boolean;
  /** Fact 17: after a first signal Electron restores the system's default, so a second one kills. */
  readonly secondSignalIsHarmless: boolean;
  /** Fact 21: the key store's entry has the name that the application has in the end, not the one it had first. */
  readonly lateNamesCount: boolean;
  /** Fact 23: Windows groups a program whose process gives no id by its installer's. */
  readonly groupedWithoutId: boolean;
  /**
   * Fact 22: the key store is locked, and its asynchronous calls wait for its prompt, without a limit, until it
   * is unlocked (`FakeSafeStorage.unlock`).
   */
  readonly keyStoreAnswers: boolean;
  /**
   * Fact 25: on Linux `showErrorBox` writes to standard error until Electron is ready, which after a double click
   * nobody sees; Windows and macOS show the box at once.
   */
  readonly boxesBeforeReady: boolean;
  /**
   * Fact 28: `app.exit`, and a display or bus that goes, leave the windows as they are and tell nothing. Electron
   * destroys them and emits `quit`, without `will-quit`.
   */
  readonly exitsTouchNothing: boolean;
  /** Fact 29: a page is given WebGL again however often the graphics were lost. */
  readonly graphicsComeBack: boolean;
  /** Fact 30: a switch that takes the sandbox away is among the arguments, and never of the environment. */
  readonly argumentsTellAll: boolean;
  /** Fact 31: a lock that is refused is another start's; a disk or a second session refuses none. */
  readonly refusedLocksAreOthers: boolean;
  /** Fact 32: Chromium does not say which of X11 and Wayland it chose. */
  readonly platformIsUnsaid: boolean;
  /** Fact 33: `clearStorageData` without a list leaves the compiled shaders. */
  readonly clearingSparesShaders: boolean;
  /** Fact 35: a dialog of the system leaves the keyboard to the window. */
  readonly dialogsLeaveTheKeyboard: boolean;
  /** Fact 36: macOS's updater quits the application before it closes its windows. */
  readonly updatersQuitFirst: boolean;
}

export const unfriendly: ElectronFacts = {
  hiddenWindowsDraw: false,
  readyToShowOnce: false,
  failedPagesAreLaidOut: false,
  softwareDrawsUnasked: false,
  explicitFullScreenIsHarmless: false,
  deniedNavigationsDoNotStart: false,
  pagesRaiseTheirWindows: false,
  zoomsBeforePaint: false,
  blobsArriveInPieces: false,
  objectsCrossAsTheyAre: false,
  framesAreOneObject: false,
  codeIsAlwaysKept: false,
  waylandKnowsPlaces: false,
  supervisorsSeeRelaunches: false,
  otherStartsWait: false,
  openFilesCanBeRemoved: false,
  secondQuitWaits: false,
  sessionEndWaits: false,
  secondSignalIsHarmless: false,
  lateNamesCount: false,
  groupedWithoutId: false,
  keyStoreAnswers: false,
  boxesBeforeReady: false,
  exitsTouchNothing: false,
  graphicsComeBack: false,
  argumentsTellAll: false,
  refusedLocksAreOthers: false,
  platformIsUnsaid: false,
  clearingSparesShaders: false,
  dialogsLeaveTheKeyboard: false,
  updatersQuitFirst: false,
};

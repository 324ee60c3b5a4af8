/** Command error: a fault that one line explains. The commands print the line and end, without a stack. */
export class CommandError extends Error {}

/** Cannot run here: a proof or a bench needs a program, a system or a key that is not there. Nothing failed, and nothing was shown. */
export class CannotRunHere extends CommandError {}

/** A fault that one line explains: the commands print the line and end, without a stack. */
export class CommandError extends Error {}

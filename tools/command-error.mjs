/** Command error: a fault that one line explains. The commands print the line and end, without a stack. */
export class CommandError extends Error {}

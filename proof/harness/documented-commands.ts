/** Documented commands: the blocks of commands in a document, and what the document says about who runs each. */

export type Runner =
  /** By a test, named in the last comment `run by` above the block. */
  | { readonly by: 'test'; readonly file: string }
  /** The comment directly above the block says that nobody runs it. */
  | { readonly by: 'nobody' }
  | { readonly by: 'not said' }

export interface CommandBlock {
  /** As a reader would type them, one or more to a block. */
  readonly commands: string
  readonly runner: Runner
}

/** A comment about who runs what, or a block of commands, in the order of the document. */
const PART =
  /<!-- run by (?<file>\S+) -->|(?<notRun><!-- not run(?:: .*?)? -->)|^```sh\b[^\n]*\n(?<commands>.*?)^```$/gms

export const commandBlocksIn = (document: string): CommandBlock[] => {
  const blocks: CommandBlock[] = []
  let usual: Runner = { by: 'not said' }
  let next: Runner = usual
  for (const { groups = {} } of document.matchAll(PART)) {
    const { file, notRun, commands } = groups
    if (file !== undefined) next = usual = { by: 'test', file }
    else if (notRun !== undefined) next = { by: 'nobody' }
    else if (commands !== undefined) {
      blocks.push({ commands: commands.trim(), runner: next })
      // "Not run" holds for one block alone: the next one must say so itself.
      next = usual
    }
  }
  return blocks
}

/** The blocks of a document that this test must run. */
export const commandsRunBy = (file: string, document: string): string[] =>
  commandBlocksIn(document).flatMap(({ commands, runner }) =>
    runner.by === 'test' && runner.file === file ? [commands] : [],
  )

/** The lines of a block, each command on one; what stands behind `#` is for the reader. */
export const commandLinesIn = (commands: string): string[] =>
  commands
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')

/** The words of a command as a shell splits them, for commands without variables and with plain quotes. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

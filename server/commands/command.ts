import type { Environment } from '../config/readers.ts'
import type { Patience } from '../store/postgres.ts'

/** How a command ended: all is well, it found something wrong, or it could not do all its work and says why. */
export type Ending =
  | { readonly found: 'nothing wrong' | 'something wrong' | 'not everything seen' }
  | { readonly problem: string }

export interface Command {
  readonly name: string
  readonly summary: string
  run(args: readonly string[], env: Environment, say: (line: string) => void): Promise<Ending>
}

/** A command reads all there is: among millions of payments one statement takes minutes, and nobody waits for a page. */
export const COMMAND_PATIENCE: Partial<Patience> = { statementMs: 3_600_000, answerMs: 3_605_000 }

/** Out file: what a command writes where `--out` says, or one line that says why it cannot. */
import { writeFile } from 'node:fs/promises'
import type { Environment } from '../config/readers.ts'
import { messageOf } from '../log.ts'
import { fileNamed, type CommandProblem } from './command.ts'

/** Answers the whole path. A file that is there is written anew. */
export const writeOut = async (
  env: Environment,
  name: string,
  content: string,
): Promise<{ readonly file: string } | CommandProblem> => {
  const file = fileNamed(env, name)
  try {
    await writeFile(file, content)
    return { file }
  } catch (error) {
    return { problem: `--out cannot be written (${messageOf(error)}): give a file in a folder of your own.` }
  }
}

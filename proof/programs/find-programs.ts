/** Programs that a proof needs: where they are on this machine. */
import { delimiter, join } from 'node:path'
import { isProgram } from '../../tools/browser/is-program.ts'
import { CannotRunHere } from '../../tools/command-error.mjs'

const BROWSERS = 'firefox-esr webkit2gtk-driver xvfb'

/** The first that is there, or a refusal that says what to install. */
export const firstProgram = (files: readonly string[], what: string, packages = BROWSERS): string => {
  const found = files.find(isProgram)
  if (found !== undefined) return found
  throw new CannotRunHere(`${what} was not found: on Debian, apt-get install ${packages}`)
}

export const onPath = (env: NodeJS.ProcessEnv, ...names: readonly string[]): string[] => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

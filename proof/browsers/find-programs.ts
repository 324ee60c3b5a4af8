/** Programs of the real browsers: where they stand on this machine. */
import { globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isProgram } from '../../tools/browser/is-program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { WebKitPrograms } from './webkit.ts'

const BROWSERS = 'firefox-esr webkit2gtk-driver xvfb'

/** The first that is there, or a refusal that says what to install. */
export const firstProgram = (files: readonly string[], what: string, packages = BROWSERS): string => {
  const found = files.find(isProgram)
  if (found !== undefined) return found
  throw new CommandError(`${what} was not found: on Debian, apt-get install ${packages}`)
}

export const onPath = (env: NodeJS.ProcessEnv, ...names: readonly string[]): string[] => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

export const findFirefox = (env: NodeJS.ProcessEnv): string =>
  firstProgram(onPath(env, 'firefox-esr', 'firefox'), 'Firefox')

export const findWebKit = (env: NodeJS.ProcessEnv): WebKitPrograms => ({
  driver: firstProgram(onPath(env, 'WebKitWebDriver'), 'WebKitWebDriver'),
  browser: firstProgram(
    globSync(['/usr/lib/*/webkit2gtk-4.*/MiniBrowser', '/usr/libexec/webkit2gtk-4.*/MiniBrowser']),
    "WebKitGTK's MiniBrowser",
  ),
  screen: firstProgram(onPath(env, 'Xvfb'), 'Xvfb'),
})

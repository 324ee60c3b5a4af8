/** Browser for journeys, pictures, proofs and benches, and the fonts that it draws with: found, or else installed. */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { runAndCapture } from '../exit-with-parent.ts'
import { CommandError } from '../command-error.mjs'
import { printProgress, secondsSince } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { isProgram } from './is-program.ts'

/** The headless shell first: the same engine without the windows of a desktop, which cost every journey a fifth of its time. */
const BROWSER_COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** $CHROMIUM, then the PATH, then Playwright's own download; undefined when there is none. */
export const findBrowser = (env: NodeJS.ProcessEnv, playwrightBrowser: string): string | undefined => {
  const chosen = env['CHROMIUM']
  if (chosen !== undefined && chosen !== '') {
    if (isProgram(chosen)) return chosen
    throw new CommandError(
      `CHROMIUM=${chosen} is not a program: set it to the path of a Chromium or Chrome, or unset it`,
    )
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = BROWSER_COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)))
  return [...onPath, playwrightBrowser].find((file) => file !== '' && isProgram(file))
}

const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

interface Installer {
  readonly name: string
  readonly steps: readonly (readonly [command: string, ...args: string[]])[]
}

/** Test files run beside each other and may find the same package missing: they wait for each other, 300 seconds at most. */
const LOCK_TIMEOUT = 'DPkg::Lock::Timeout=300'

const debianInstaller = (name: string, packages: readonly string[]): Installer => ({
  name,
  steps: [
    // Its lists have a lock that nobody can wait for: whoever finds it taken tries again.
    ['sh', '-c', 'for try in 1 2 3 4 5 6; do apt-get update && exit; sleep 5; done; exit 1'],
    ['apt-get', 'install', '-o', LOCK_TIMEOUT, '--yes', '--no-install-recommends', ...packages],
  ],
})
const playwrightInstaller: Installer = {
  name: "Playwright's Chromium",
  steps: [[process.execPath, join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium']],
}

const mayInstallPackages = (): boolean => process.getuid?.() === 0 && isDebian()

const installers = (): Installer[] => [
  ...(mayInstallPackages() ? [debianInstaller("Debian's Chromium", ['chromium-headless-shell'])] : []),
  playwrightInstaller,
]

/** Of what a failed installer printed, the line that names the fault. */
export const faultLine = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '' && !line.startsWith('at ')) ?? 'it said nothing'

/** Why it failed; undefined when it succeeded. */
const install = async ({ name, steps }: Installer): Promise<string | undefined> => {
  printProgress(`installing ${name}…`)
  const started = performance.now()
  for (const [command, ...args] of steps) {
    const { code, output } = await runAndCapture(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (code !== 0) return `${name}: ${faultLine(output)}`
  }
  printProgress(`${name} installed in ${secondsSince(started)}`)
  return undefined
}

/**
 * Debian's packages of fonts that the pages name, and a family that each alone has: the fonts of an Android phone. A new machine
 * has none of them, and what it has instead may be wider than any phone's.
 */
export const FONTS = {
  'fonts-roboto-unhinted': 'Roboto',
  'fonts-noto-cjk': 'Noto Sans CJK JP',
  'fonts-noto-core': 'Noto Sans',
} as const

/** Whatever measures lines fails where the fonts are missing. Everything else goes on with the machine's own. */
const ensureFonts = async (): Promise<void> => {
  const missing = Object.keys(FONTS).filter((name) => !existsSync(`/var/lib/dpkg/info/${name}.list`))
  if (missing.length === 0 || !mayInstallPackages()) return
  const failure = await install(debianInstaller(missing.join(', '), missing))
  if (failure !== undefined) printProgress(failure)
}

/** The path of a browser for the journeys. It and the fonts are installed where they are missing. */
export const ensureBrowser = async (env: NodeJS.ProcessEnv): Promise<string> => {
  await ensureFonts()
  const found = findBrowser(env, chromium.executablePath())
  if (found !== undefined) return found
  const failures: string[] = []
  for (const installer of installers()) {
    const failure = await install(installer)
    const browser = findBrowser(env, chromium.executablePath())
    if (failure === undefined && browser !== undefined) return browser
    failures.push(failure ?? `${installer.name}: installed, but not found`)
  }
  throw new CommandError(
    `no browser for the journeys, and none could be installed (${failures.join('; ')}): ` +
      'install Chromium or Chrome, or set CHROMIUM to the path of one',
  )
}

/** Chromium without its own sandbox, which a container does not allow, and without a graphics card. */
export const launchChromium = async (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: await ensureBrowser(process.env),
    args: ['--no-sandbox', '--disable-gpu', ...args],
  })

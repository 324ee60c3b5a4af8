/** nginx for the proxy proof: found or unpacked, started with deploy/nginx.conf on loopback ports. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isPortTaken } from '../harness/server-process.ts'
import { faultLine } from '../../tools/browser/browser.ts'
import { isProgram } from '../../tools/browser/is-program.ts'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import { runAndCapture, spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'

const DEPLOYED_FILE = join(ROOT, 'deploy', 'nginx.conf')
const READY_TIMEOUT_MS = 10_000
/** Debian keeps it where only root's PATH leads. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/nginx/sbin']

export const findNginx = (path: string, systemFolders: readonly string[] = SYSTEM_FOLDERS): string | undefined =>
  [...path.split(delimiter), ...systemFolders]
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'nginx'))
    .find(isProgram)

/** Unpacks Debian's package into the folder: installed, it would open a web server on port 80 to everybody. */
const unpackDebianPackage = async (folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  const run = (command: string, ...args: string[]) => runAndCapture(command, args, { cwd: folder })
  printProgress("no nginx found; unpacking Debian's package…")
  let download = await run('apt-get', 'download', 'nginx')
  if (download.code !== 0 && process.getuid?.() === 0) {
    await run('apt-get', 'update')
    download = await run('apt-get', 'download', 'nginx')
  }
  const debianPackage = readdirSync(folder).find((name) => name.endsWith('.deb'))
  const unpacking = debianPackage === undefined ? download : await run('dpkg-deb', '-x', debianPackage, '.')
  const program = join(folder, 'usr', 'sbin', 'nginx')
  if (unpacking.code === 0 && isProgram(program)) return program
  throw new CannotRunHere(
    `no nginx, and Debian's package could not be unpacked (${faultLine(unpacking.output)}): install nginx, then prove`,
  )
}

/** What differs between deploy/nginx.conf and the file that the proof runs. */
export interface NginxTestSettings {
  /** Logs, the process id and all temporary files are written here. */
  readonly folder: string
  readonly ports: { readonly http: number; readonly https: number; readonly server: number; readonly sandbox: number }
  readonly baseName: string
  readonly certificateFile: string
  readonly keyFile: string
  /** The user of the worker processes; null where nginx is not started by root and cannot choose. */
  readonly user: string | null
}

const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** deploy/nginx.conf with the ports, names and files of a test. Everything else stays as it is delivered. */
export const renderNginxFile = (deployed: string, settings: NginxTestSettings): string => {
  const { folder, ports, baseName, certificateFile, keyFile, user } = settings
  const temporaryPaths = TEMPORARY_PATHS.map((name) => `\n  ${name}_temp_path ${join(folder, name)};`).join('')
  const replacements: readonly [from: string, to: string][] = [
    ['\nuser www-data;', user === null ? '' : `\nuser ${user};`],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/etc/ssl/kaikei/fullchain.pem', certificateFile],
    ['/etc/ssl/kaikei/privkey.pem', keyFile],
    ['\nhttp {', `\nhttp {${temporaryPaths}`],
    // Not every machine has IPv6.
    ['listen [::]:', '# listen [::]:'],
    [' listen 80', ` listen 127.0.0.1:${ports.http}`],
    [' listen 443', ` listen 127.0.0.1:${ports.https}`],
    ['127.0.0.1:3000', `127.0.0.1:${ports.server}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports.sandbox}`],
    ['pay.example.com', baseName],
    [' Host $host;', ` Host $host:${ports.https};`],
  ]
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from))
      throw new CommandError(
        `deploy/nginx.conf has no ${JSON.stringify(from)} any more: change what nginx.ts replaces there`,
      )
    return text.replaceAll(from, to)
  }, deployed)
}

/** Runs deploy/nginx.conf until it is stopped or this process ends. */
export const startNginx = async (settings: Omit<NginxTestSettings, 'user'>, env: NodeJS.ProcessEnv) => {
  const { folder, ports } = settings
  mkdirSync(folder, { recursive: true })
  const program = findNginx(env['PATH'] ?? '') ?? (await unpackDebianPackage(join(folder, 'package')))
  const user = process.getuid?.() === 0 ? userInfo().username : null
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, renderNginxFile(readFileSync(DEPLOYED_FILE, 'utf8'), { ...settings, user }))
  const args = ['-p', folder, '-c', file]
  const check = await runAndCapture(program, ['-t', ...args])
  if (check.code !== 0) throw new CommandError(`nginx refuses deploy/nginx.conf: ${check.output.trim()}`)
  printProgress(check.output.trim())
  const version = /nginx\/([\d.]+)/.exec((await runAndCapture(program, ['-v'])).output)?.[1] ?? 'unknown'

  const nginx = spawnExitingWithParent(program, [...args, '-g', 'daemon off;'], { removeFolder: folder })
  const exited = new Promise<void>((resolve) => {
    nginx.on('exit', () => resolve())
  })
  const stop = async (): Promise<void> => {
    nginx.kill('SIGTERM')
    await exited
  }
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!(await isPortTaken(String(ports.https)))) {
    if (nginx.exitCode !== null || nginx.signalCode !== null || performance.now() > deadline) {
      await stop()
      throw new CommandError(`nginx did not start within ${READY_TIMEOUT_MS / 1000} s, see above`)
    }
    await wait(20)
  }
  return {
    version,
    /** What it has logged so far. */
    readLogs: () => ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    stop,
  }
}

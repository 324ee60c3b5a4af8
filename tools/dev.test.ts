import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, isPortTaken } from '../proof/harness/server-process.ts'
import { ROOT } from './root.ts'
import { environmentOutsideTests } from './testing/child-processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const COPIED =
  'contract payment server sandbox page ui console tools package.json package-lock.json tsconfig.json vite.config.ts'
const TIMEOUT_MS = 120_000

/** Asks again until the answer is what is waited for: a server that starts again refuses connections. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await isSo().catch(() => false))) {
    assert.ok(performance.now() < deadline, `${what} within ${TIMEOUT_MS / 1000} s`)
    await wait(50)
  }
}

test('npm run dev serves what was changed, also after a mistake, and all of it ends when it is killed', async (t) => {
  const folder = temporaryFolder(t, {})
  for (const part of COPIED.split(' ')) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const [port, sandboxPort] = [String(await freePort()), String(await freePort())]
  const dev = spawn(process.execPath, ['tools/dev.ts'], {
    cwd: folder,
    env: { ...environmentOutsideTests(), PORT: port, SANDBOX_PORT: sandboxPort, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => dev.kill('SIGKILL'))
  let errors = ''
  dev.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  let last = ''
  for await (const line of createInterface({ input: dev.stdout })) {
    last = line
    if (last === 'ready') break
  }
  assert.equal(last, 'ready')
  const serves = (words: string) => async (): Promise<boolean> => {
    const headers = { 'accept-language': 'en-US' }
    return (await (await fetch(`http://localhost:${port}/nowhere`, { headers })).text()).includes(words)
  }
  const change = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, path), 'utf8')
    assert.ok(text.includes(from), path)
    writeFileSync(join(folder, path), text.replace(from, to))
  }
  const words = 'page/words/en-US.ts'
  await until('the page is served', serves('Page not found'))
  change(words, "'Page not found'", "'Nothing here' 'at all'")
  await until('the mistake is named', async () => errors.includes('en-US.ts'))
  change(words, "'Nothing here' 'at all'", "'Nothing here'")
  await until('the change of the page is served', serves('Nothing here'))
  const drawing = 'server/http/pages/document.ts'
  change(drawing, '<!doctype html>', '<!DOCTYPE html>')
  await until('the change of the server is served', serves('<!DOCTYPE html>'))
  dev.kill('SIGKILL')
  for (const each of [port, sandboxPort]) await until(`port ${each} is free`, async () => !(await isPortTaken(each)))
})

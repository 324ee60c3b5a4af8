/** Proof, reference: a real PHP carries out every example of the reference and verifies webhooks by the text of the merchant guide. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../journeys/harness/program.ts'
import { isPortTaken } from '../harness/server-process.ts'
import { inShell, openExampleServer, sourceOf, type RunExample } from './example-server.ts'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import { runAndCapture, spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { firstProgram, onPath } from '../programs/find-programs.ts'
import { answersOf, HOOK_SECRET, phpBlockOf, type HookAnswer } from './signed-events.ts'

const READY_TIMEOUT_MS = 10_000
const PACKAGES = 'php-cli php-curl'

/** With its curl extension: the examples call its functions. */
const findPhp = async (env: NodeJS.ProcessEnv) => {
  const program = firstProgram(onPath(env, 'php'), 'PHP', PACKAGES)
  const asked = await runAndCapture(program, ['-r', 'echo function_exists("curl_init") ? PHP_VERSION : "";'])
  if (asked.code !== 0 || asked.output === '')
    throw new CannotRunHere(`${program} has no curl extension: on Debian, apt-get install ${PACKAGES}`)
  return { program, version: asked.output }
}

const inPhp =
  (program: string): RunExample =>
  async (call, variables, folder) => {
    const file = join(folder, `${call.name}.php`)
    writeFileSync(file, sourceOf(call, 'PHP'))
    const { code, output } = await runAndCapture(program, [file], { cwd: folder, env: { ...variables } })
    if (code !== 0) throw new CommandError(`the example of ${call.name} ended with ${code} in PHP: ${output}`)
    return output
  }

/** Every example by PHP, beside the same by curl: what reaches the server must be the same. */
const carryOutExamples = async (program: string, folder: string): Promise<number> => {
  const server = await openExampleServer()
  try {
    const [byCurl, byPhp] = [join(folder, 'curl'), join(folder, 'php')]
    for (const each of [byCurl, byPhp]) mkdirSync(each)
    const expected = await server.requestsOf(byCurl, inShell(process.env['PATH']))
    const sent = await server.requestsOf(byPhp, inPhp(program))
    assert.deepEqual(sent, expected)
    return sent.length
  } finally {
    await server.close()
  }
}

/** The program of the guide as PHP's own server runs it. */
const askHook = async (program: string, folder: string): Promise<HookAnswer[]> => {
  const file = join(folder, 'hook.php')
  writeFileSync(file, phpBlockOf(readFileSync(join(ROOT, 'docs', 'merchant-guide.md'), 'utf8')))
  const port = String(await freePort())
  const hook = spawnExitingWithParent(program, ['-S', `127.0.0.1:${port}`, file], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: HOOK_SECRET },
  })
  try {
    const deadline = performance.now() + READY_TIMEOUT_MS
    while (!(await isPortTaken(port))) {
      if (hook.exitCode !== null || hook.signalCode !== null || performance.now() > deadline)
        throw new CommandError('the PHP hook did not start')
      await wait(20)
    }
    return await answersOf(`http://127.0.0.1:${port}/hook`, Date.now())
  } finally {
    hook.kill('SIGTERM')
  }
}

export const figuresOf = (version: string, examples: number, answers: readonly HookAnswer[]): Figures => {
  const wrong = answers.filter(({ status, expected }) => status !== expected)
  if (wrong.length > 0)
    throw new CommandError(`the PHP of the guide: ${wrong.map(({ what, status }) => `${what}: ${status}`).join('; ')}`)
  if (examples === 0 || answers.length === 0) throw new CommandError('nothing was carried out, which shows nothing')
  const count = (status: number): number => answers.filter((each) => each.status === status).length
  return { php: version, examples, signedAccepted: count(200), forgedRefused: count(400) }
}

export const parameters = ''

export const measure = async (): Promise<Figures> => {
  const { program, version } = await findPhp(process.env)
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-reference-'))
  try {
    const examples = await carryOutExamples(program, folder)
    printProgress(`PHP ${version}: ${examples} examples sent what curl sends`)
    return figuresOf(version, examples, await askHook(program, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

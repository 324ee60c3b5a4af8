import assert from 'node:assert/strict'
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorsOf } from '../../server/http/reference/described-calls.ts'
import { isObject, type Json } from '../../server/http/reference/json.ts'
import { temporaryFolder } from '../../tools/testing/temporary-folder.ts'
import {
  answerSchema,
  inShell,
  openExampleServer,
  sourceOf,
  type ExampleServer,
  type RunExample,
} from './example-server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Processes of curl; all of them at once would be slower than their timeout on a busy machine. */
const AT_ONCE = 4
/** For Node, which reads TypeScript as a module by it. */
const MODULES = { 'package.json': '{"type":"module"}' }

const run = promisify(execFile)

/** Imports one example after another, and answers each with what it printed: a process for each would take six times as long. */
const RUN_EXAMPLES = `
  let printed = ''
  let variables = {}
  console.log = (text) => { printed += text + '\\n' }
  process.on('message', async (example) => {
    printed = ''
    for (const name in variables) delete process.env[name]
    variables = example.variables
    Object.assign(process.env, variables)
    await import(example.file)
    process.send(printed)
  })`

const inNode = (t: TestContext): RunExample => {
  const runner = join(temporaryFolder(t, { ...MODULES, 'run-examples.js': RUN_EXAMPLES }), 'run-examples.js')
  let node: ChildProcess | undefined
  let ended: Promise<never>
  t.after(() => node?.kill())
  return async (call, variables, folder) => {
    if (node === undefined) {
      node = fork(runner, { cwd: folder, env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      ended = once(node, 'exit').then(() => assert.fail('an example failed in Node, see above'))
    }
    const file = join(folder, `${call.name}.ts`)
    writeFileSync(file, `${sourceOf(call, 'TypeScript')}\n`)
    node.send({ file, variables })
    const [printed]: unknown[] = await Promise.race([once(node, 'message'), ended])
    return String(printed)
  }
}

/** PHP is carried out by `npm run prove -- reference`: nothing else here needs it, and no package of npm brings it. */
describe('every example of the reference', () => {
  let server: ExampleServer
  before(async () => {
    server = await openExampleServer()
  })
  after(() => server.close())

  test('is answered as documented, by curl and by Node’s own fetch, which send the same', async (t) => {
    const { calls, requestsOf } = server
    const byCurl = await requestsOf(temporaryFolder(t, MODULES), inShell(process.env['PATH']), AT_ONCE)
    const statuses = calls.map(({ call }) => String(call.status)).toSorted()
    assert.deepEqual(byCurl.map(({ status }) => String(status)).toSorted(), statuses)
    assert.deepEqual(await requestsOf(temporaryFolder(t, MODULES), inNode(t)), byCurl)
  })

  test('compiles under the compiler options of this project', async (t) => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['*.ts'],
    }
    const { calls } = server
    const files = calls.map((call) => [`${call.name}.ts`, `${sourceOf(call, 'TypeScript')}\n`])
    const folder = temporaryFolder(t, { ...Object.fromEntries(files), 'tsconfig.json': JSON.stringify(config) })
    const listed = await run(process.execPath, [TSC, '-p', folder, '--listFilesOnly'])
    assert.equal(listed.stdout.split('\n').filter((line) => line.startsWith(folder)).length, calls.length)
    await run(process.execPath, [TSC, '-p', folder]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout))
    writeFileSync(
      join(folder, 'wrong.ts'),
      "import { env } from 'node:process'\nconst { KAIKEI_URL } = env\nfetch(KAIKEI_URL)\n",
    )
    await assert.rejects(run(process.execPath, [TSC, '-p', folder]), /Command failed/)
  })

  test('shows an answer of the documented shape', () => {
    const { document, calls, assertDocumented } = server
    for (const call of calls) assertDocumented(answerSchema(document, call), call.note.example.answer, call.name)
    for (const { code, body } of errorsOf(calls))
      assertDocumented({ $ref: '#/components/schemas/Error' }, { ...body }, code)
    assert.throws(() => assertDocumented({ $ref: '#/components/schemas/Refund' }, {}, 'an empty refund'))
  })

  test('sends a body of the documented shape', () => {
    const { document, calls, assertDocumented } = server
    const withBody = calls.filter(({ body }) => body?.types.includes('application/json'))
    assert.ok(withBody.length >= 2)
    for (const { name, path, call } of withBody) {
      const schema = [
        'paths',
        path,
        call.method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
      ].reduce<Json>((found, part) => (isObject(found) ? (found[part] ?? null) : null), document)
      if (!isObject(schema)) assert.fail(name)
      assertDocumented(schema['schema'], schema['example'] ?? null, name)
    }
  })
})

test('the stand-in for curl prints what curl prints, and refuses what it does not know', async () => {
  const standIn = join(import.meta.dirname, 'curl-command.ts')
  const { stdout } = await run(process.execPath, [
    standIn,
    '--fail-with-body',
    'data:,{}',
    '--write-out',
    String.raw`\n`,
  ])
  assert.equal(stdout, '{}\n')
  for (const args of [['x:'], ['--fail-with-body'], ['--fail-with-body', 'x:', '--insecure']])
    await assert.rejects(run(process.execPath, [standIn, ...args]), /no address|not known/)
})

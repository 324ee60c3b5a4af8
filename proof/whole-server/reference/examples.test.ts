import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Schema from 'typebox/schema'
import { CALL_NOTES } from '../../../server/http/reference/call-notes.ts'
import { isObject, toJson, type Json, type JsonObject } from '../../../server/http/reference/json.ts'
import { readDocument, type Reference, type ReferenceCall } from '../../../server/http/reference/read-document.ts'
import { fixture } from '../../../server/pictures/testing/fixtures.ts'
import { temporaryFolder } from '../../../tools/testing/temporary-folder.ts'
import { openSqliteInMemory } from '../../harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../harness/merchant-client.ts'
import { hashedId } from '../../../server/ids.ts'
import { fanOut } from '../../../server/store/fan-out.ts'
import { endpointWrite } from '../../../server/store/webhook-endpoints.ts'
import { API_KEYS, TEA_MERCHANT } from '../../harness/test-server.ts'
import { interpretCurl, readCurl, shellWords, type Variables } from './curl-interpreter.ts'

/** Every example of the reference, carried out as a reader would: against a server that listens, over HTTP. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const TIMEOUT_MS = 30_000

const run = promisify(execFile)

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly status: number
}

/** How an example is carried out; returns what it prints. */
type RunExample = (call: ReferenceCall, variables: Variables, folder: string) => Promise<string>

const sourceOf = ({ id, samples }: ReferenceCall, label: string): string =>
  samples.find((sample) => sample.label === label)?.source ?? assert.fail(`${id} has no example for ${label}`)

const inShell: RunExample = async (call, variables, folder) => {
  const env = { PATH: process.env['PATH'], ...variables }
  return (await run('sh', ['-c', sourceOf(call, 'curl')], { cwd: folder, env, timeout: TIMEOUT_MS })).stdout
}

const interpreted: RunExample = (call, variables, folder) => interpretCurl(sourceOf(call, 'curl'), variables, folder)

const inNode: RunExample = async (call, variables, folder) => {
  const file = `${call.id}.ts`
  writeFileSync(join(folder, file), `${sourceOf(call, 'TypeScript')}\n`)
  return (await run(process.execPath, [file], { cwd: folder, env: { ...variables }, timeout: TIMEOUT_MS })).stdout
}

/** The kinds of files that calls answer, by what each begins with. */
const fileBeginnings: Readonly<Record<string, (documented: string) => RegExp>> = {
  'image/svg+xml': () => /^<\?xml[^>]+>\s*<svg /,
  'text/csv': (documented) => new RegExp(`^\uFEFF${documented.split('\n')[0]}\r\n2026-11-23,`),
}

describe('every example of the reference', () => {
  let client: MerchantClient
  let document: JsonObject
  let reference: Reference
  let base: string
  let ids: Readonly<Record<'open' | 'paid', string>>
  let eventId: string
  const seen: SeenRequest[] = []

  before(async () => {
    client = await openMerchantClient(await openSqliteInMemory())
    const { app } = client.server
    base = `${await app.listen({ port: 0, host: '127.0.0.1' })}/merchant/v1`
    app.server.on('request', ({ method = '', url = '', headers }, response) => {
      const { 'content-type': type, 'idempotency-key': key, authorization } = headers
      const told = { type, authorization, key: typeof key === 'string' ? key : undefined }
      void once(response, 'finish').then(() => seen.push({ method, url, headers: told, status: response.statusCode }))
    })
    const answer = toJson(await (await fetch(`${base}/openapi.json`)).json())
    if (!isObject(answer)) assert.fail()
    document = answer
    reference = readDocument(document)
    // The examples that ask for a range of days ask for this one.
    client.clock.advance(Date.parse('2026-11-23T03:04:05Z') - client.clock.now())
    const { body } = CALL_NOTES.createCheckout.example
    if (!isObject(body)) assert.fail()
    ids = { open: (await client.create()).id, paid: (await client.createPaid(body)).id }
    await fanOut(client.server.parts.database, client.clock.now())
    eventId = (await client.get<{ items: readonly { id: string }[] }>('/events')).items[0]?.id ?? assert.fail()
  })
  after(() => client.server.app.close())

  const assertDocumented = (schema: Json | undefined, value: Json, what: string): void => {
    if (!isObject(schema)) assert.fail(what)
    const [isValid, errors] = Schema.Errors({ ...schema, components: document['components'] }, value)
    assert.ok(isValid, `${what}: ${JSON.stringify(errors)} in ${JSON.stringify(value)}`)
  }

  /** As it stands in the document, not as the contract or the page have read it. */
  const answerSchema = ({ path, method, answer }: ReferenceCall): Json | undefined => {
    let found: Json | undefined = document
    for (const name of [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      answer.status,
      'content',
      answer.type,
      'schema',
    ])
      found = isObject(found) ? found[name] : undefined
    return found
  }

  /** One of its own for each call, and the same each time: one of the calls removes it. */
  const webhookFor = async ({ id: call }: ReferenceCall): Promise<string> => {
    const id = `we_${hashedId(call)}`
    const endpoint = { merchantId: TEA_MERCHANT.id, id, mode: 'test', url: 'https://shop.example.com/hook' } as const
    const fresh = { types: null, generation: 1, previousUntil: null, disabled: null, failingSince: null, createdAt: 0 }
    await client.server.parts.database.writeAll(endpointWrite({ ...endpoint, ...fresh }))
    return id
  }

  const carryOut = async (call: ReferenceCall, runExample: RunExample, folder: string): Promise<void> => {
    const { example } = CALL_NOTES[call.id as keyof typeof CALL_NOTES]
    const about = {
      ...(example.checkout === undefined ? {} : { CHECKOUT_ID: ids[example.checkout] }),
      ...(call.path.includes('{webhookId}') ? { WEBHOOK_ID: await webhookFor(call) } : {}),
      EVENT_ID: eventId,
    }
    const printed = await runExample(call, { KAIKEI_URL: base, KAIKEI_KEY: API_KEYS.tea, ...about }, folder)
    if (example.saveAs === undefined) return assertDocumented(answerSchema(call), toJson(JSON.parse(printed)), call.id)
    const file = readFileSync(join(folder, example.saveAs), 'utf8')
    const beginning = fileBeginnings[call.answer.type] ?? assert.fail(`${call.answer.type} is a new kind of file`)
    assert.match(file, beginning(typeof example.answer === 'string' ? example.answer : ''))
  }

  /** What reached the server, in the order of the document; calls may run side by side. */
  const requestsOf = async (t: TestContext, runExample: RunExample, isParallel = false): Promise<SeenRequest[]> => {
    const folder = temporaryFolder(t, { 'package.json': '{"type":"module"}' })
    writeFileSync(join(folder, 'logo.png'), fixture('canvas.png'))
    seen.length = 0
    if (isParallel) await Promise.all(reference.calls.map((call) => carryOut(call, runExample, folder)))
    else for (const call of reference.calls) await carryOut(call, runExample, folder)
    assert.equal(seen.length, reference.calls.length)
    return seen.toSorted((one, other) => (`${one.method} ${one.url}` < `${other.method} ${other.url}` ? -1 : 1))
  }

  test('is answered as documented, by curl and by Node’s own fetch, which send the same', async (t) => {
    const byInterpreter = await requestsOf(t, interpreted)
    const statuses = reference.calls.map(({ answer }) => answer.status).toSorted()
    assert.deepEqual(byInterpreter.map(({ status }) => String(status)).toSorted(), statuses)
    assert.deepEqual(await requestsOf(t, inNode, true), byInterpreter)
    if (hasCurl) assert.deepEqual(await requestsOf(t, inShell), byInterpreter)
  })

  test('compiles under the compiler options of this project', async (t) => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['*.ts'],
    }
    const files = reference.calls.map((call) => [`${call.id}.ts`, `${sourceOf(call, 'TypeScript')}\n`])
    const folder = temporaryFolder(t, { ...Object.fromEntries(files), 'tsconfig.json': JSON.stringify(config) })
    const listed = await run(process.execPath, [TSC, '-p', folder, '--listFilesOnly'])
    assert.equal(listed.stdout.split('\n').filter((line) => line.startsWith(folder)).length, reference.calls.length)
    await run(process.execPath, [TSC, '-p', folder]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout))
    writeFileSync(
      join(folder, 'wrong.ts'),
      "import { env } from 'node:process'\nconst { KAIKEI_URL } = env\nfetch(KAIKEI_URL)\n",
    )
    await assert.rejects(run(process.execPath, [TSC, '-p', folder]), /Command failed/)
  })

  test('shows an answer of the documented shape', () => {
    for (const call of reference.calls) {
      const { example } = call.answer
      if (example === undefined) assert.fail(call.id)
      assertDocumented(answerSchema(call), example, call.id)
    }
    for (const { code, body } of reference.errors) assertDocumented({ $ref: '#/components/schemas/Error' }, body, code)
    assert.throws(() => assertDocumented({ $ref: '#/components/schemas/Refund' }, {}, 'an empty refund'))
  })

  test('sends a body of the documented shape', () => {
    const withBody = reference.calls.filter(({ body }) => body?.types.includes('application/json'))
    assert.ok(withBody.length >= 2)
    for (const { id, path, method } of withBody) {
      const schema = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json'].reduce<Json>(
        (found, name) => (isObject(found) ? (found[name] ?? null) : null),
        document,
      )
      if (!isObject(schema)) assert.fail(id)
      assertDocumented(schema['schema'], schema['example'] ?? null, id)
    }
  })
})

test('the interpreter reads a command as a shell does, and refuses what it does not know', () => {
  const variables = { A: 'x y', B: 'z' }
  assert.deepEqual(shellWords(`curl "$A/$B" \\\n  'it'\\''s $A'`, variables), ['curl', 'x y/z', "it's $A"])
  for (const word of ['$(id)', '`id`', '"$C"', 'a;b', 'a|b', '*', '"\\$A"'])
    assert.throws(() => shellWords(`curl ${word}`, variables), word)
  const wrong = ['wget "$B"', 'curl "$B"', 'curl --fail-with-body', 'curl --fail-with-body "$B" --insecure']
  for (const command of wrong) assert.throws(() => readCurl(command, variables), command)
  const { method, data } = readCurl(`curl --fail-with-body "$B" --data '{}'`, variables)
  assert.deepEqual([method, data], ['POST', '{}'])
})

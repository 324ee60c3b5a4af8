/** Example server: carries out every example of the reference as a reader would, against a server that listens, over HTTP. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Schema from 'typebox/schema'
import { EMPTY_TALLY } from '#payment/reconciliation-tally.ts'
import { CALL_NOTES } from '../../server/http/reference/call-notes.ts'
import { isObject, toJson, type Json, type JsonObject } from '../../server/http/reference/json.ts'
import { describedCalls, type DescribedCall } from '../../server/http/reference/described-calls.ts'
import { hashedId } from '../../server/ids.ts'
import { fixture } from '../../server/pictures/testing/fixtures.ts'
import { fanOut } from '../../server/store/outbox/fan-out.ts'
import { reconciliationWrite } from '../../server/store/reports/reconciliations.ts'
import { endpointWrite } from '../../server/store/merchant/webhook-endpoints.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { openMerchantClient } from '../harness/merchant-client.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'

/** What reached the server. */
interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly status: number
}

/** How an example is carried out; returns what it prints. */
export type RunExample = (
  call: DescribedCall,
  variables: Readonly<Record<string, string>>,
  folder: string,
) => Promise<string>

export interface ExampleServer {
  readonly document: JsonObject
  readonly calls: readonly DescribedCall[]
  /** Fails where the value is not of the schema of the document. */
  assertDocumented(schema: Json | undefined, value: Json, what: string): void
  /** Carries all of them out in an empty folder, checks the answers, and says what reached the server, in an order of its own. */
  requestsOf(folder: string, runExample: RunExample, atOnce?: number): Promise<SeenRequest[]>
  close(): Promise<void>
}

export const sourceOf = ({ name, samples }: DescribedCall, label: string): string =>
  samples.find((sample) => sample.label === label)?.source ?? assert.fail(`${name} has no example for ${label}`)

const EXAMPLE_TIMEOUT_MS = 30_000
const CURL = `command -v curl > /dev/null || curl() { "${process.execPath}" "${join(import.meta.dirname, 'curl-command.ts')}" "$@"; }`

/** By a shell, as a reader does: with curl, or with our stand-in where none is installed. */
export const inShell =
  (PATH: string | undefined): RunExample =>
  async (call, variables, cwd) => {
    const options = { cwd, env: { PATH, ...variables }, timeout: EXAMPLE_TIMEOUT_MS }
    return (await promisify(execFile)('sh', ['-c', `${CURL}\n${sourceOf(call, 'curl')}`], options)).stdout
  }

/** The kinds of files that calls answer, by what each begins with. */
const fileBeginnings: Readonly<Record<string, (documented: string) => RegExp>> = {
  'image/svg+xml': () => /^<\?xml[^>]+>\s*<svg /,
  'text/csv': (documented) => new RegExp(`^\uFEFF${documented.split('\n')[0]}\r\n2026-11-23,`),
}

/** As it stands in the document, not as the contract or the page have read it. */
export const answerSchema = (document: JsonObject, { path, call, answerType }: DescribedCall): Json | undefined => {
  const { status, method } = call
  let found: Json | undefined = document
  for (const name of ['paths', path, method.toLowerCase(), 'responses', status, 'content', answerType, 'schema'])
    found = isObject(found) ? found[name] : undefined
  return found
}

export const openExampleServer = async (): Promise<ExampleServer> => {
  const client = await openMerchantClient(await openSqliteInMemory())
  const { app, deps } = client.server
  const base = `${await app.listen({ port: 0, host: '127.0.0.1' })}/merchant/v1`
  const seen: SeenRequest[] = []
  app.server.on('request', ({ method = '', url = '', headers }, response) => {
    const { 'content-type': type, 'idempotency-key': key, authorization } = headers
    const told = { type, authorization, key: typeof key === 'string' ? key : undefined }
    void once(response, 'finish').then(() => seen.push({ method, url, headers: told, status: response.statusCode }))
  })
  const document = toJson(await (await fetch(`${base}/openapi.json`)).json())
  if (!isObject(document)) assert.fail()
  const calls = describedCalls()
  // The examples that ask for a range of days ask for this one.
  client.clock.advance(Date.parse('2026-11-23T03:04:05Z') - client.clock.now())
  const { body } = CALL_NOTES.createCheckout.example
  if (!isObject(body)) assert.fail()
  const ids = { open: (await client.create()).id, paid: (await client.createPaid(body)).id }
  const linkId = (await client.send('/links', { method: 'POST', payload: { amount: 3000 } })).json<{ id: string }>().id
  const reconciliationId = `rc_${hashedId('reconciliation')}`
  const made = { id: reconciliationId, madeAt: client.clock.now(), period: { from: 0, to: 1 }, isComplete: true }
  await deps.database.writeAll(
    reconciliationWrite({ merchantId: TEA_MERCHANT.id, mode: 'test' }, { ...EMPTY_TALLY, ...made, problem: null }),
  )
  await fanOut(deps.database, client.clock.now())
  const eventId = (await client.get<{ items: readonly { id: string }[] }>('/events')).items[0]?.id ?? assert.fail()

  const assertDocumented: ExampleServer['assertDocumented'] = (schema, value, what) => {
    if (!isObject(schema)) assert.fail(what)
    const [isValid, errors] = Schema.Errors({ ...schema, components: document['components'] }, value)
    assert.ok(isValid, `${what}: ${JSON.stringify(errors)} in ${JSON.stringify(value)}`)
  }

  /** One of its own for each call, and the same each time: one of the calls removes it. */
  const webhookFor = async ({ name }: DescribedCall): Promise<string> => {
    const id = `we_${hashedId(name)}`
    const endpoint = { merchantId: TEA_MERCHANT.id, id, mode: 'test', url: 'https://shop.example.com/hook' } as const
    const fresh = { types: null, generation: 1, previousUntil: null, disabled: null, failingSince: null, createdAt: 0 }
    await deps.database.writeAll(endpointWrite({ ...endpoint, ...fresh }))
    return id
  }

  const carryOut = async (call: DescribedCall, runExample: RunExample, folder: string): Promise<void> => {
    const { example } = call.note
    const about = {
      ...(example.checkout === undefined ? {} : { CHECKOUT_ID: ids[example.checkout] }),
      ...(call.path.includes('{webhookId}') ? { WEBHOOK_ID: await webhookFor(call) } : {}),
      ...(call.path.includes('{linkId}') ? { LINK_ID: linkId } : {}),
      EVENT_ID: eventId,
      RECONCILIATION_ID: reconciliationId,
    }
    const printed = await runExample(call, { KAIKEI_URL: base, KAIKEI_KEY: API_KEYS.tea, ...about }, folder)
    if (example.saveAs === undefined)
      return assertDocumented(answerSchema(document, call), toJson(JSON.parse(printed)), call.name)
    const file = readFileSync(join(folder, example.saveAs), 'utf8')
    const beginning = fileBeginnings[call.answerType] ?? assert.fail(`${call.answerType} is a new kind of file`)
    assert.match(file, beginning(typeof example.answer === 'string' ? example.answer : ''))
  }

  const requestsOf: ExampleServer['requestsOf'] = async (folder, runExample, atOnce = 1) => {
    writeFileSync(join(folder, 'logo.png'), fixture('canvas.png'))
    seen.length = 0
    const waiting = calls.values()
    const carryOutNext = async (): Promise<void> => {
      for (const call of waiting) await carryOut(call, runExample, folder)
    }
    await Promise.all(Array.from({ length: atOnce }, carryOutNext))
    assert.equal(seen.length, calls.length)
    return seen.toSorted((one, other) => (`${one.method} ${one.url}` < `${other.method} ${other.url}` ? -1 : 1))
  }

  return { document, calls, assertDocumented, requestsOf, close: () => app.close() }
}

/** Changed page: a relay before the release that does what a skimmer does, and the probe that must report it, by fetch and in a browser. */
import { once } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import { fetchAnswer } from '../../server/commands/probe/fetch-page.ts'
import type { RawHeaders } from '../../server/commands/probe/page-facts.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { runBare } from './unpacked.ts'

interface Answer {
  readonly path: string
  headers: RawHeaders
  body: Buffer
}

interface Change {
  /** In the line of the probe. */
  readonly named: RegExp
  apply(answer: Answer): void
}

const isDocument = ({ headers }: Answer): boolean => String(headers['content-type']).startsWith('text/html')

/** With the nonce of the page: without it a browser runs no script that was put in, and says nothing of it. */
const addScript = (answer: Answer): void => {
  const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1]
  const html = answer.body
    .toString('utf8')
    .replace('</body>', `<script nonce="${nonce}">window.skim = 1</script></body>`)
  answer.body = Buffer.from(html)
}

const CHANGES: readonly Change[] = [
  {
    named: /header referrer-policy has changed/,
    apply: (answer) => {
      if (isDocument(answer)) answer.headers = { ...answer.headers, 'referrer-policy': 'unsafe-url' }
    },
  },
  {
    // A browser refuses the bytes, and the script is gone.
    named: /script \/assets\/main-[\w-]+\.js (has changed|is gone)/,
    apply: (answer) => {
      if (/^\/assets\/main-.*\.js$/.test(answer.path))
        answer.body = Buffer.concat([answer.body, Buffer.from(';skim()')])
    },
  },
  {
    named: /script inline \d+ is new/,
    apply: (answer) => {
      if (isDocument(answer)) addScript(answer)
    },
  },
]

/** Of the body before it was changed. */
const LENGTHS = ['content-length', 'transfer-encoding']

interface Relay {
  readonly address: string
  change: Change | null
  close(): void
}

const openRelay = async (to: URL): Promise<Relay> => {
  const relay: Relay = { address: '', change: null, close: () => void server.close() }
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/'
    void fetchAnswer(new URL(path, to)).then(({ status, headers, body }) => {
      const answer: Answer = { path, headers, body }
      relay.change?.apply(answer)
      response.statusCode = status
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined && !LENGTHS.includes(name)) response.setHeader(name, value)
      response.end(answer.body)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return Object.assign(relay, { address: `http://${to.hostname}:${port}${to.pathname}` })
}

/** Each change by fetch and in a browser: exit code 1, and the change by name. Answers how many were reported. */
export const reportedChanges = async (
  place: string,
  { shopper, folder, chromium }: { readonly shopper: string; readonly folder: string; readonly chromium: string },
): Promise<number> => {
  const relay = await openRelay(new URL(shopper))
  let reported = 0
  try {
    for (const env of [{}, { CHROMIUM: chromium, HOME: folder }]) {
      const file = join(folder, `page-${Object.keys(env).length}.json`)
      const probe = (option: string) => runBare('./kaikei', ['probe', relay.address, option, file], place, env)
      relay.change = null
      const before = await probe('--save')
      const same = await probe('--against')
      if (before.code !== 0 || same.code !== 0)
        throw new CommandError(`the probe of an unchanged page ended with ${before.code}, ${same.code}: ${same.output}`)
      for (const change of CHANGES) {
        relay.change = change
        const { code, output } = await probe('--against')
        if (code !== 1 || !change.named.test(output))
          throw new CommandError(`the probe does not report ${String(change.named)} (${code}): ${output}`)
        reported += 1
      }
    }
  } finally {
    relay.close()
  }
  return reported
}

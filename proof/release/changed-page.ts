/** Changed page: a relay before the release that does what a skimmer does, and the probe that must report it. */
import { join } from 'node:path'
import { startRelay, type Answer, type Change } from '../programs/relay.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { runBare } from './unpacked.ts'

interface NamedChange {
  /** What the probe must say. */
  readonly named: RegExp
  readonly change: Change
}

/** Changes documents alone. */
const inDocuments =
  (apply: (answer: Answer) => Answer): Change =>
  (_path, answer) =>
    String(answer.headers['content-type']).startsWith('text/html') ? apply(answer) : answer

/** With the nonce of the page: a browser would not run an added script without it, and the probe would have nothing to see. */
const withScript = ({ headers, body }: Answer): Answer => {
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  const script = `<script nonce="${nonce}">window.skim = 1</script></body>`
  return { headers, body: Buffer.from(body.toString('utf8').replace('</body>', script)) }
}

const CHANGES: readonly NamedChange[] = [
  {
    named: /header referrer-policy has changed/,
    change: inDocuments(({ headers, body }) => ({ headers: { ...headers, 'referrer-policy': 'unsafe-url' }, body })),
  },
  {
    named: /script \/assets\/main-[\w-]+\.js has changed/,
    change: (path, { headers, body }) =>
      /^\/assets\/main-.*\.js$/.test(path)
        ? { headers, body: Buffer.concat([body, Buffer.from(';skim()')]) }
        : { headers, body },
  },
  { named: /script inline \d+ is new/, change: inDocuments(withScript) },
]

/** Each change: exit code 1, and the change by name. Answers how many were reported. */
export const reportedChanges = async (place: string, shopper: string, folder: string): Promise<number> => {
  const { hostname, host, port, pathname } = new URL(shopper)
  const relay = await startRelay(() => ({ port: Number(port), host }))
  const address = `http://${hostname}:${relay.port}${pathname}`
  let reported = 0
  try {
    const file = join(folder, 'page.json')
    const probe = (option: string) => runBare('./kaikei', ['probe', address, option, file], place)
    const before = await probe('--save')
    const same = await probe('--against')
    if (before.code !== 0 || same.code !== 0)
      throw new CommandError(`the probe of an unchanged page ended with ${before.code}, ${same.code}: ${same.output}`)
    for (const { named, change } of CHANGES) {
      relay.change = change
      const { code, output } = await probe('--against')
      if (code !== 1 || !named.test(output))
        throw new CommandError(`the probe does not report ${String(named)} (${code}): ${output}`)
      reported += 1
    }
  } finally {
    await relay.stop()
  }
  return reported
}

/** Program behind a proxy: server and sandbox as in production, and a record of what the 3-D Secure server was sent. */
import { PRODUCTION, startProgram, type StartedProgram } from '../programs/started-program.ts'
import { startRelay } from '../programs/relay.ts'
import { isRecord } from '../../tools/is-record.mjs'

export interface ProxiedProgram extends StartedProgram {
  /** The shopper's addresses that the 3-D Secure server was told, by the requestor's id of the transaction. */
  readonly toldAddresses: ReadonlyMap<string, string>
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The requestor's id and the shopper's address in the body of an authentication; undefined for any other body. */
export const addressToldIn = (body: string): readonly [requestorTransId: string, address: string] | undefined => {
  const fields = parseJson(body)
  if (!isRecord(fields) || !isRecord(fields['browserInfoCollected'])) return undefined
  const { threeDSRequestorTransID: id, browserInfoCollected: browser } = fields
  return typeof id === 'string' ? [id, String(browser['browserIP'])] : undefined
}

/** Starts what `npm start` starts, with the settings that docs/operations.md gives for production. */
export const startProxiedProgram = async (
  base: URL,
  ports: { readonly server: number; readonly sandbox: number },
): Promise<ProxiedProgram> => {
  const toldAddresses = new Map<string, string>()
  const host = `127.0.0.1:${ports.sandbox}`
  // Between the server and the sandbox's 3-D Secure API: the sandbox itself keeps no list of its calls.
  const recorder = await startRelay(() => ({ port: ports.sandbox, host }))
  recorder.change = (_path, { headers, body }, sentBody) => {
    const told = addressToldIn(sentBody.toString('utf8'))
    if (told !== undefined) toldAddresses.set(...told)
    // The answer names addresses for the next calls: they must come here too.
    return { headers, body: Buffer.from(body.toString('utf8').replaceAll(host, `127.0.0.1:${recorder.port}`)) }
  }
  const originOf = (label: string): string => `${base.protocol}//${label}.${base.host}`
  const program = await startProgram({
    ports,
    env: {
      ...PRODUCTION,
      HOST: '127.0.0.1',
      PUBLIC_BASE: base.origin,
      TRUSTED_PROXIES: '127.0.0.1',
      SANDBOX_TIME_SCALE: '0.1',
      SANDBOX_THREE_DS_ORIGIN: originOf('3ds-server'),
      SANDBOX_BANK_ORIGIN: originOf('bank'),
      THREE_DS_API_URL: `http://127.0.0.1:${recorder.port}`,
      THREE_DS_MERCHANT_ID: 'sandbox',
      LOG_LEVEL: 'info',
    },
  })
  return {
    ...program,
    toldAddresses,
    stop: async () => {
      await program.stop()
      await recorder.stop()
    },
  }
}

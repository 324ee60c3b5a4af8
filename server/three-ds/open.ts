/** 3-D Secure server: the one that the configuration names. */
import { readFile } from 'node:fs/promises'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import type { ThreeDSConfig } from '../config/three-ds.ts'
import { messageOf } from '../log.ts'
import { threeDSServerNotConfigured } from './not-configured.ts'
import { createActiveServer, type ThreeDSCredentialsOf } from './active-server/three-ds-server.ts'
import { createTransport, isMerchantToken, type ClientTls } from './active-server/transport.ts'

/** A 3-D Secure server, once it is known whose credentials an account has there. */
type Opened =
  | { readonly connectThreeDSServer: (credentialsOf: ThreeDSCredentialsOf) => ThreeDSServer }
  | { readonly problem: string }

type ConfiguredServer = NonNullable<ThreeDSConfig['server']>

/** Rejects where a file cannot be read. */
export const readClientTls = async ({
  clientCertificate,
  caPath,
}: Pick<ConfiguredServer, 'clientCertificate' | 'caPath'>): Promise<ClientTls | null> => {
  const ca = caPath === null ? null : await readFile(caPath, 'utf8')
  return clientCertificate === null
    ? null
    : { pfx: await readFile(clientCertificate.path), passphrase: clientCertificate.passphrase, ca }
}

/** The 3-D Secure server that the configuration names, or the one line that says what to mend. */
export const openThreeDSServer = async ({ server }: ThreeDSConfig): Promise<Opened> => {
  if (server === null) return { connectThreeDSServer: () => threeDSServerNotConfigured }
  const { apiUrl, timeoutMs, merchantToken } = server
  try {
    const options = { apiUrl, timeoutMs, tls: await readClientTls(server) }
    // Tries the certificate: a wrong passphrase would otherwise show with the first shopper.
    const send = createTransport(options)
    if (merchantToken !== null && !isMerchantToken(merchantToken))
      throw new Error('the token cannot be sent in a header')
    return { connectThreeDSServer: (credentialsOf) => createActiveServer({ ...options, credentialsOf }, send) }
  } catch (error) {
    return {
      problem: `The 3-D Secure server cannot be set up (${messageOf(error)}). Mend THREE_DS_CLIENT_CERTIFICATE (a PKCS#12 file), THREE_DS_CLIENT_PASSPHRASE, THREE_DS_CA (a PEM file) or THREE_DS_MERCHANT_TOKEN.`,
    }
  }
}

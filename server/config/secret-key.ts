/** Secret key: SECRET_KEY, or a file in DATA_DIR that is made at the first start. */
import { randomBytes } from 'node:crypto'
import { chmod, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export const SECRET_KEY_FILE = 'secret-key'
const KEPT = /^[0-9a-f]{64}\n$/

export type SecretKeyReading = { readonly secretKey: string } | { readonly problem: string }

/** Written to the disk before anything is made with it: a key that a power cut takes away makes its database unusable. */
const createKeyFile = async (path: string): Promise<string> => {
  const key = randomBytes(32).toString('hex')
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(`${key}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return key
}

/** Where the server holds the lock of its database: two at once would each make a key. */
export const readSecretKey = async ({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretKeyReading> => {
  if (secretKey !== null) return { secretKey }
  const path = join(dataDir, SECRET_KEY_FILE)
  const kept = await readFile(path, 'utf8').catch(() => undefined)
  if (kept === undefined || kept === '') return { secretKey: await createKeyFile(path) }
  if (!KEPT.test(kept))
    return {
      problem: `The file ${path} does not hold a secret key (64 hexadecimal digits and a line break). Restore it from a backup, or set SECRET_KEY to what it held.`,
    }
  await chmod(path, 0o600)
  return { secretKey: kept.trim() }
}

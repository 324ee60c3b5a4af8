/** Secret keys: SECRET_KEY, or a file in DATA_DIR that is made at the first start. Earlier keys stand behind the current one. */
import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export const SECRET_KEY_FILE = 'secret-key'
const KEPT = /^([0-9a-f]{64}\n)+$/

type KeyPlace = Pick<Config, 'secretKey' | 'earlierSecretKeys' | 'dataDir'>

/** The current key first; none where none was made yet. */
export type SecretKeysReading = { readonly keys: readonly string[] } | { readonly problem: string }

export const newSecretKey = (): string => randomBytes(32).toString('hex')

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Replaces the file as a whole: a crash leaves the one before or the new one, and never half of it. On the disk before
 * anything is made with it: a key that a power cut takes away makes its database unusable.
 */
export const writeSecretKeys = async (dataDir: string, keys: readonly string[]): Promise<void> => {
  const path = join(dataDir, SECRET_KEY_FILE)
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    await file.writeFile(keys.map((key) => `${key}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  await syncFolder(dataDir)
}

export const readSecretKeys = async ({
  secretKey,
  earlierSecretKeys,
  dataDir,
}: KeyPlace): Promise<SecretKeysReading> => {
  if (secretKey !== null) return { keys: [secretKey, ...earlierSecretKeys] }
  const path = join(dataDir, SECRET_KEY_FILE)
  const kept = await readFile(path, 'utf8').catch(() => undefined)
  if (kept === undefined || kept === '') return { keys: [] }
  if (!KEPT.test(kept))
    return {
      problem: `The file ${path} does not hold a secret key (64 hexadecimal digits and a line break; earlier keys on further lines). Restore it from a backup, or set SECRET_KEY to what it held.`,
    }
  await chmod(path, 0o600)
  return { keys: kept.trim().split('\n') }
}

/** Operator's sealing: the secret keys of the running server, with which a command seals and opens accounts. */
import { readSecretKeys, SECRET_KEY_FILE } from '../../config/secret-key.ts'
import { createSealing, type Sealing } from '../../config/sealed.ts'
import { placeOfSecretKey } from '../../store/engine/secret-key-check.ts'
import { otherKeyProblem } from '../../store/prepare-database.ts'
import type { CommandProblem } from '../command.ts'
import type { OperatorDependencies } from '../operator-database.ts'

/** Not with a key that is newer than the server's: the server could not open what it seals. */
export const operatorSealing = async ({
  config,
  database,
}: OperatorDependencies): Promise<{ readonly sealing: Sealing } | CommandProblem> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const { keys } = reading
  if (keys.length === 0)
    return {
      problem: `There is no secret key to seal credentials with: set SECRET_KEY, or DATA_DIR with its file ${SECRET_KEY_FILE}, as the server has it; the first start of the server makes one.`,
    }
  const place = await placeOfSecretKey(database, keys)
  return place === null ? { problem: otherKeyProblem(config) } : { sealing: createSealing(keys.slice(place)) }
}

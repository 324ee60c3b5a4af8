/** Root: the folder of the project. */
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** Whether a file is a program that may be started. */
import { accessSync, constants } from 'node:fs'

export const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

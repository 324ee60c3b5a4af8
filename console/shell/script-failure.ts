/** Script failure: the script of a screen did not come, as after an update of the server, whose old scripts are gone. */

class ScriptFailure extends Error {}

/** What `load` gives, or a failure that is told apart from a fault of the screen itself. */
export const loadScript = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw new ScriptFailure('the script of a screen could not be loaded', { cause })
  }
}

export const isScriptFailure = (error: unknown): boolean => error instanceof ScriptFailure

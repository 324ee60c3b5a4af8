import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'

const settleMs = 100

const matters = (file: string): boolean => !/(^|\/)\.|~$|\.test\.tsx?$/.test(file)

/** Calls `changed` with the changed files, one call at a time; what changes meanwhile is told in the next. Returns how to stop. */
export const watchSources = (
  folder: string,
  paths: readonly string[],
  changed: (files: ReadonlySet<string>) => Promise<void>,
): (() => void) => {
  let waiting = new Set<string>()
  let busy = false
  let timer: NodeJS.Timeout | undefined

  const tell = async (): Promise<void> => {
    if (busy) return
    busy = true
    while (waiting.size > 0) {
      const files = waiting
      waiting = new Set()
      await changed(files)
    }
    busy = false
  }

  const present = paths.filter((path) => existsSync(join(folder, path)))
  const watchers = present.map((path) =>
    watch(join(folder, path), { recursive: true }, (_event, name) => {
      const file = name === null || name === path ? path : join(path, name)
      if (!matters(file)) return
      waiting.add(file)
      clearTimeout(timer)
      // Editors write a file in several steps.
      timer = setTimeout(() => void tell(), settleMs)
    }),
  )
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

/** File watcher: reports which sources have changed, for `npm run dev`. */
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'

const SETTLE_MS = 100

const isSource = (file: string): boolean => !/(^|\/)\.|~$|\.test\.tsx?$/.test(file)

/** Calls `onChange` with the changed files, one call at a time; what changes meanwhile is in the next. Returns how to stop. */
export const watchSources = (
  folder: string,
  paths: readonly string[],
  onChange: (files: ReadonlySet<string>) => Promise<void>,
): (() => void) => {
  let pending = new Set<string>()
  let isReporting = false
  let timer: NodeJS.Timeout | undefined

  const reportChanges = async (): Promise<void> => {
    if (isReporting) return
    isReporting = true
    while (pending.size > 0) {
      const files = pending
      pending = new Set()
      await onChange(files)
    }
    isReporting = false
  }

  const present = paths.filter((path) => existsSync(join(folder, path)))
  const watchers = present.map((path) =>
    watch(join(folder, path), { recursive: true }, (_event, name) => {
      const file = name === null || name === path ? path : join(path, name)
      if (!isSource(file)) return
      pending.add(file)
      clearTimeout(timer)
      // Editors write a file in several steps.
      timer = setTimeout(() => void reportChanges(), SETTLE_MS)
    }),
  )
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

/** Download: hands a CSV to the browser as a file, such as one that was read with the session. */
import { BYTE_ORDER_MARK } from '#contract/csv.ts'

export const downloadCsv = (name: string, csv: string): void => {
  const address = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.csv`
  link.click()
  // Not at once: Safari begins to read it only after this.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Download: hands a text to the browser as a file, such as a CSV that was read with the session. */
export const downloadText = (name: string, mediaType: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not at once: Safari begins to read it only after this.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

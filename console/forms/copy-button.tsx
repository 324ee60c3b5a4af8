/** Copy button: copies a text and says so, in its own words and to screen readers. */
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import styles from './copy-button.module.css'

const SHOWN_MS = 3000

type Copying = 'idle' | 'copied' | 'failed'

/** `children` names what is copied; left out: “Copy”. */
export const CopyButton = ({ text, children }: { readonly text: string; readonly children?: string }) => {
  const words = useWords(sharedWords)
  const [copying, setCopying] = useState<Copying>('idle')

  useEffect(() => {
    if (copying === 'idle') return undefined
    const timer = setTimeout(() => setCopying('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copying])

  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopying('copied'),
      () => setCopying('failed'),
    )
  }
  const shown = { idle: children ?? words.copy, copied: words.copied, failed: words.copyFailed }
  return (
    <>
      <Button kind="secondary" type="button" onClick={copy}>
        {shown[copying]}
      </Button>
      {/* Not in the button, of which a screen reader reads no more than its words. */}
      <span className={styles['said']} role="status">
        {copying === 'idle' ? '' : shown[copying]}
      </span>
    </>
  )
}

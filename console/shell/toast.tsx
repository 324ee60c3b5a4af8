/** Toast: says in a few words what was done, on the screen and to screen readers, and goes by itself. */
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react'
import { Icon } from '../forms/icon.tsx'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import styles from './toast.module.css'

const SHOWN_MS = 6000

interface Toast {
  readonly id: number
  readonly text: string
}

const ToastContext = createContext<((text: string) => void) | null>(null)

/** Shows a toast. */
export const useToast = (): ((text: string) => void) => {
  const show = useContext(ToastContext)
  if (show === null) throw new Error('useToast outside ToastProvider')
  return show
}

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const { close } = useWords(sharedWords)
  const [toast, setToast] = useState<Toast | null>(null)
  const show = useCallback((text: string) => setToast((last) => ({ id: (last?.id ?? 0) + 1, text })), [])

  useEffect(() => {
    if (toast === null) return undefined
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])

  return (
    <ToastContext value={show}>
      {children}
      {/* Always there: a region that comes together with its text is not announced. */}
      <div className={styles['region']} role="status">
        {toast === null ? null : (
          <div key={toast.id} className={styles['toast']}>
            <span>{toast.text}</span>
            <button type="button" className={styles['close']} aria-label={close} onClick={() => setToast(null)}>
              <Icon name="close" size={16} />
            </button>
          </div>
        )}
      </div>
    </ToastContext>
  )
}

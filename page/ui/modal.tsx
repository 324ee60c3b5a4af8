import { useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './modal.module.css'

interface ModalProps {
  readonly words: string
  readonly confirm: string
  readonly onClose: () => void
}

/** The browser's own dialog: it holds the focus, closes on Escape and gives the focus back. */
export const Modal = ({ words, confirm, onClose }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    if (element !== null && !element.open) element.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog ref={dialog} className={styles['modal']} role="alertdialog" aria-labelledby={id} onCancel={onClose}>
      <p id={id} className={styles['words']}>
        {words}
      </p>
      <Button kind="primary" type="button" onClick={onClose}>
        {confirm}
      </Button>
    </dialog>
  )
}

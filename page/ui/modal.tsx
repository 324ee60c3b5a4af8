/** Modal dialog, the browser's own: it traps the focus, closes on Escape and restores the focus. */
import { useEffect, useId, useRef } from 'react'
import { Button } from '#ui/button.tsx'
import styles from './modal.module.css'

interface ModalProps {
  readonly message: string
  readonly confirm: string
  readonly onClose: () => void
}

export const Modal = ({ message: words, confirm, onClose }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    if (element !== null && !element.open) element.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog ref={dialog} className={styles['modal']} role="alertdialog" aria-labelledby={id} onCancel={onClose}>
      <p id={id} className={styles['message']}>
        {words}
      </p>
      <Button kind="primary" type="button" onClick={onClose}>
        {confirm}
      </Button>
    </dialog>
  )
}

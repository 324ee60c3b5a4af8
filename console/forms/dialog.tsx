/** Dialog: a sheet from below on a phone, a card in the middle of a wide window. It keeps the focus and gives it back. */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './overlay.module.css'

const HoldContext = createContext<(isHeld: boolean) => void>(() => undefined)

/** Keeps the dialog around it open while a call runs: a link or a key that it answers with is shown this once. */
export const useHeldDialog = (isHeld: boolean): void => {
  const hold = useContext(HoldContext)
  useEffect(() => {
    hold(isHeld)
    return () => hold(false)
  }, [hold, isHeld])
}

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** By Escape, or by a press outside of it. */
  onClose(): void
  /** False while something is sent that must not be left; a form in it says so by itself. */
  readonly isDismissable?: boolean
  /** What a person must decide before all else is announced at once. */
  readonly role?: 'dialog' | 'alertdialog'
  /** The buttons, the first one being the one that acts. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Dialog = ({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  role = 'dialog',
  actions,
  children,
}: DialogProps) => {
  const [isHeld, setHeld] = useState(false)
  const mayLeave = isDismissable && !isHeld
  return (
    <ModalOverlay
      className={styles['backdrop'] ?? ''}
      isOpen={isOpen}
      onOpenChange={(opens) => {
        if (!opens) onClose()
      }}
      isDismissable={mayLeave}
      isKeyboardDismissDisabled={!mayLeave}
    >
      <Modal className={styles['modal'] ?? ''}>
        <AriaDialog className={styles['dialog'] ?? ''} role={role}>
          <Heading slot="title" level={2} className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <HoldContext value={setHeld}>{children}</HoldContext>
          {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

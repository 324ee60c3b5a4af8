/** Menu: a button that opens a list to choose one item of. The focus stays on the button. */
import { createContext, useContext, useId, useRef, useState, type ComponentType, type KeyboardEvent } from 'react'
import styles from './menu.module.css'

export interface MenuItem<T extends string> {
  readonly value: T
  readonly label: string
  readonly lang?: string
}

interface MenuProps<T extends string> {
  readonly label: string
  readonly items: readonly MenuItem<T>[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
}

export interface MenuListProps {
  readonly id: string
  readonly label: string
  readonly items: readonly MenuItem<string>[]
  readonly chosenIndex: number
  /** Keeps the focus and gets the keys. */
  readonly opener: HTMLElement
  readonly onChoose: (index: number) => void
  readonly onClose: () => void
}

/** How a menu gets the component of its open list. */
export const MenuListLoader = createContext<() => Promise<{ readonly MenuList: ComponentType<MenuListProps> }>>(() =>
  Promise.reject(new Error('no list')),
)

interface OpenMenu {
  readonly MenuList: ComponentType<MenuListProps>
  readonly opener: HTMLElement
}

export const Menu = <T extends string>({ label, items, chosen, onChoose }: MenuProps<T>) => {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const loadList = useContext(MenuListLoader)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const chosenIndex = Math.max(
    items.findIndex(({ value }) => value === chosen),
    0,
  )
  const chosenLabel = items[chosenIndex]?.label

  const open = (): void => {
    loadList().then(
      ({ MenuList }) => setMenu(opener.current === null ? null : { MenuList, opener: opener.current }),
      // Without its list the menu stays closed; the next press tries again.
      () => undefined,
    )
  }
  const close = (): void => setMenu(null)
  const choose = (index: number): void => {
    const item = items[index]
    close()
    opener.current?.focus()
    if (item !== undefined) onChoose(item.value)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (menu !== null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    open()
  }

  return (
    <div className={styles['menu']}>
      <button
        ref={opener}
        type="button"
        role="combobox"
        className={styles['opener']}
        aria-label={`${label}: ${chosenLabel}`}
        aria-haspopup="listbox"
        aria-expanded={menu !== null}
        aria-controls={menu === null ? undefined : `${id}-list`}
        onClick={menu === null ? open : close}
        onKeyDown={onKeyDown}
      >
        {chosenLabel}
        <svg
          className={styles['caret']}
          viewBox="0 0 10 10"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
        >
          <path d="M1.5 3.5 5 7l3.5-3.5" />
        </svg>
      </button>
      {menu === null ? null : (
        <menu.MenuList
          id={`${id}-list`}
          label={label}
          items={items}
          chosenIndex={chosenIndex}
          opener={menu.opener}
          onChoose={choose}
          onClose={close}
        />
      )}
    </div>
  )
}

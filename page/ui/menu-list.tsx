/** Open list of a menu. It is not in the page's first script: most shoppers never open it. */
import { useEffect, useState } from 'react'
import { itemForKey, opensUpward } from './menu-behaviour.ts'
import type { MenuListProps } from './menu.tsx'
import styles from './menu-list.module.css'

export const MenuList = ({ id, label, items, chosenIndex, opener, onChoose, onClose }: MenuListProps) => {
  const [active, setActive] = useState(chosenIndex)
  const [isUpward] = useState(() =>
    opensUpward(items.length, window.innerHeight - opener.getBoundingClientRect().bottom),
  )

  useEffect(() => {
    // Screen readers get the active item by its id.
    opener.setAttribute('aria-activedescendant', `${id}-${active}`)
    return () => opener.removeAttribute('aria-activedescendant')
  }, [opener, id, active])

  useEffect(() => {
    const labels = items.map((item) => item.label)
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' || event.key === 'Tab') {
        onClose()
        return
      }
      const isChosen = event.key === 'Enter' || event.key === ' '
      const next = itemForKey(event.key, active, labels)
      if (!isChosen && next === undefined) return
      event.preventDefault()
      if (isChosen) onChoose(active)
      else setActive(next ?? active)
    }
    const closeOutside = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || opener.parentElement?.contains(target) !== true) onClose()
    }
    opener.addEventListener('keydown', onKeyDown)
    document.addEventListener('pointerdown', closeOutside)
    return () => {
      opener.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('pointerdown', closeOutside)
    }
  }, [opener, items, active, onChoose, onClose])

  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className={`${styles['list']} ${isUpward ? styles['above'] : styles['below']}`}
    >
      {items.map((item, index) => (
        // The keyboard is handled on the opener, which keeps the focus.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={item.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          lang={item.lang}
          aria-selected={index === chosenIndex}
          className={`${styles['item']} ${active === index ? styles['active'] : ''}`}
          onClick={() => onChoose(index)}
        >
          {item.label}
        </div>
      ))}
    </div>
  )
}

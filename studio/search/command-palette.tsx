import { TextInput, VisuallyHidden } from '@mantine/core'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SEARCH_LENGTH } from '../../server/search/contract.ts'
import type { useNewPublication } from '../publications/use-new-publication.ts'
import { ChoiceList, optionId } from '../ui/choice-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorText } from '../ui/error-notice.tsx'
import { focusMain } from '../ui/focus-place.ts'
import { IconRefresh, IconSearch } from '../ui/icons.ts'
import classes from './command-palette.module.css'
import type { EarlyKeys } from './early-keys.ts'
import { type Destination, matchingPages, usePages } from './pages.ts'
import { useFound } from './use-found.ts'

interface Props {
  begin: ReturnType<typeof useNewPublication>
  asked: number
  /** What was typed before its field was there. */
  early: EarlyKeys
}

/** ⌘K: finds every page that the member may open, every newsletter, and publications, subscribers and links by name. */
export function CommandPalette({ begin, asked, early }: Props) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens each time it is asked for
  useEffect(() => setOpened(true), [asked])
  return (
    <Dialog
      opened={opened}
      onClose={() => setOpened(false)}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': t('shell.goTo') } }}
      centered={false}
      yOffset={80}
      size={600}
      padding={0}
    >
      <Palette begin={begin} asked={asked} early={early} close={() => setOpened(false)} />
    </Dialog>
  )
}

function Palette({ begin, asked, early, close }: Props & { close: () => void }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isEntered, setEntered] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const words = typed.trim()
  const pages = matchingPages(usePages(begin), words)
  const found = useFound(words)
  const again: Destination = { key: 'again', label: t('ui.retry'), icon: IconRefresh, go: found.retry, stays: true }
  const groups = [
    ...pages,
    ...found.groups,
    ...(found.error ? [{ key: 'failed', label: t('find.failed'), choices: [again] }] : []),
  ]
  const choices = groups.flatMap((group) => group.choices)
  const active = choices.find(({ key }) => key === chosen) ?? choices[0]
  const choose = ({ go, stays }: Destination) => {
    if (!stays) {
      // Else the focus would go back to where it was on the page that is left.
      focusMain()
      close()
    }
    go()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are kept each time it is asked for
  useLayoutEffect(() => {
    const kept = early.take()
    field.current?.focus()
    setTyped((before) => (before + kept.text).slice(0, SEARCH_LENGTH))
    setEntered(kept.isEntered)
  }, [asked, early])
  useEffect(() => {
    if (!isEntered) return
    setEntered(false)
    if (active) choose(active)
  })
  const move = (by: number) =>
    active && setChosen(choices.at((choices.indexOf(active) + by) % choices.length)?.key ?? null)
  const pressed = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return
    event.preventDefault()
    if (event.key !== 'Enter') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (active) choose(active)
  }
  const isEmpty = !found.isSearching && choices.length === 0
  return (
    <>
      <TextInput
        ref={field}
        data-autofocus
        size="lg"
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={id}
        aria-activedescendant={active && optionId(id, active)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.field ?? '' }}
        leftSection={<IconSearch size={18} stroke={1.6} />}
        aria-label={t('shell.goTo')}
        placeholder={t('find.placeholder')}
        maxLength={SEARCH_LENGTH}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(null)
        }}
        onKeyDown={pressed}
      />
      <ChoiceList
        id={id}
        label={t('shell.goTo')}
        groups={groups}
        active={active}
        point={({ key }) => setChosen(key)}
        choose={choose}
        className={classes.list}
      />
      {found.error !== null && (
        <p role="alert" className={classes.line}>
          {errorText(found.error)}
        </p>
      )}
      {found.isSearching && (
        <p className={classes.line} aria-hidden="true">
          {t('find.searching')}
        </p>
      )}
      {isEmpty && (
        <p className={classes.line} aria-hidden="true">
          {t('shell.nothingFound')}
        </p>
      )}
      <VisuallyHidden role="status">
        {found.isSearching
          ? t('find.searching')
          : isEmpty
            ? t('shell.nothingFound')
            : words && t('ui.found', { count: choices.length })}
      </VisuallyHidden>
    </>
  )
}

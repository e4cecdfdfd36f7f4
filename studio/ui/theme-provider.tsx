import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { styleNonce } from './html-frame.ts'
import { cssVariablesResolver, theme } from './theme.ts'

const storedMode = localStorageColorSchemeManager({ key: 'mode' })

/** Provides the theme, with Mantine's own labels in the language on screen. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const translated = useMemo(() => {
    const closing = { defaultProps: { closeButtonProps: { 'aria-label': t('ui.close') } } }
    const list = {
      defaultProps: {
        nothingFoundMessage: t('ui.nothingFits'),
        selectFirstOptionOnChange: true,
        // A list that opens by itself covers what stands below it.
        openOnFocus: false,
        // What is typed into a list that can be searched takes the place of what was chosen.
        onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => !currentTarget.readOnly && currentTarget.select(),
      },
    }
    return mergeThemeOverrides(theme, {
      components: { Modal: closing, Drawer: closing, Notification: closing, Select: list },
    })
  }, [t])
  return (
    <MantineProvider
      theme={translated}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={storedMode}
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  )
}

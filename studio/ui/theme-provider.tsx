import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { styleNonce } from './html-frame.ts'
import { cssVariablesResolver, theme } from './theme.ts'

const modeOfThisDevice = localStorageColorSchemeManager({ key: 'mode' })

/** The look, with the few words the kit says by itself in the language on screen. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const spoken = useMemo(() => {
    const closing = { defaultProps: { closeButtonProps: { 'aria-label': t('ui.close') } } }
    return mergeThemeOverrides(theme, { components: { Modal: closing, Drawer: closing, Notification: closing } })
  }, [t])
  return (
    <MantineProvider
      theme={spoken}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={modeOfThisDevice}
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  )
}

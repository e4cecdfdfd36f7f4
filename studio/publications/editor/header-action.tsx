import { ActionIcon, Button, Tooltip } from '@mantine/core'
import classes from './publication-header.module.css'

interface ActionProps {
  label: string
  /** The words on a small screen; without them only the icon is visible there. */
  shortLabel?: string
  icon: React.ReactNode
  onClick: () => void
  pressed?: boolean
  loading?: boolean
}

/** A button with an icon and a label. On a small screen it is an icon, or has a shorter label. */
export function HeaderAction({ label, shortLabel, icon, onClick, pressed, loading = false }: ActionProps) {
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        className={classes.action}
        leftSection={icon}
        aria-pressed={pressed}
        loading={loading}
        onClick={onClick}
      >
        {label}
      </Button>
      {shortLabel ? (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={classes.shortAction}
          leftSection={icon}
          aria-label={label}
          aria-pressed={pressed}
          loading={loading}
          onClick={onClick}
        >
          {shortLabel}
        </Button>
      ) : (
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.iconAction}
            aria-label={label}
            aria-pressed={pressed}
            loading={loading}
            onClick={onClick}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}

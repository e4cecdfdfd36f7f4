import { ActionIcon, Button, Tooltip } from '@mantine/core'
import classes from './publication-header.module.css'

interface ActionProps {
  label: string
  icon: React.ReactNode
  onClick: () => void
  pressed?: boolean
  loading?: boolean
}

/** A button with an icon and a label. On a small screen only the icon is visible. */
export function HeaderAction({ label, icon, onClick, pressed, loading = false }: ActionProps) {
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
    </>
  )
}

/** Who signs in to the demo. The password is documented: never seed an instance that others can reach. */
export const demoOwner = {
  name: 'Inès Kerbrat',
  email: 'ines@lowwater.example',
  password: 'low-water-at-seven',
} as const

/** Ways to sign in that the configuration offers. */
export interface SignInWays {
  /** Whether passwords are taken. */
  passwords: boolean;
  /** Sign-in providers, in the order in which they are shown. */
  providers: readonly { id: string; name: string }[];
}

export default function SignIn() {
  return <main>Sign in</main>
}

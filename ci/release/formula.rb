class @class@ < Formula
  desc "@description@"
  homepage "@homepage@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@repository@/releases/download/v@version@/@name@-@version@-aarch64-apple-darwin.tar.gz"
      sha256 "@sha256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/@name@-@version@-x86_64-apple-darwin.tar.gz"
      sha256 "@sha256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@repository@/releases/download/v@version@/@name@-@version@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@sha256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/@name@-@version@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@sha256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "@name@"
    man1.install Dir["generated/*.1"]
    bash_completion.install "generated/@name@.bash" => "@name@"
    fish_completion.install "generated/@name@.fish"
    zsh_completion.install "generated/_@name@"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/@name@ --version")
  end
end

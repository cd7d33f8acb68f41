// A third party in Go, with golang.org/x/oauth2 as its documentation shows it.
//
// Usage: go-client BASE_URL CLIENT_ID CLIENT_SECRET REDIRECT_URI
// Prints the address for the owner, reads the address that the browser landed on, prints what came of it as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

func main() {
	base := os.Args[1]
	config := &oauth2.Config{
		ClientID:     os.Args[2],
		ClientSecret: os.Args[3],
		RedirectURL:  os.Args[4],
		Scopes:       []string{"access_data", "control_device"},
		Endpoint:     oauth2.Endpoint{AuthURL: base + "/oauth/authorize", TokenURL: base + "/oauth/token"},
	}
	verifier := oauth2.GenerateVerifier()
	fmt.Println(config.AuthCodeURL("state of mine", oauth2.S256ChallengeOption(verifier)))

	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	landed, err := url.Parse(strings.TrimSpace(line))
	check(err)
	if landed.Query().Get("state") != "state of mine" {
		log.Fatal("another state came back")
	}
	ctx := context.Background()
	token, err := config.Exchange(ctx, landed.Query().Get("code"), oauth2.VerifierOption(verifier))
	check(err)

	// The library refreshes by itself once the token has expired.
	expired := *token
	expired.Expiry = time.Now().Add(-time.Hour)
	renewed, err := config.TokenSource(ctx, &expired).Token()
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"access_token": renewed.AccessToken,
		"type":         renewed.Type(),
		"renewed":      renewed.AccessToken != token.AccessToken && renewed.RefreshToken != token.RefreshToken,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
